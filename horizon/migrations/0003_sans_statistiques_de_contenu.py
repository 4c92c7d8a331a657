"""Ni pseudonyme, ni session, ni historique d'administration ne sont recopiés dans `pg_statistic` (DR-09)."""

from django.db import migrations

COLONNES = (
    ("horizon_compte", "pseudonyme", "varchar(100)"),
    ("horizon_ancienpseudonyme", "pseudonyme", "varchar(100)"),
    ("django_session", "session_data", "text"),
    ("django_admin_log", "object_repr", "varchar(200)"),
    ("django_admin_log", "change_message", "text"),
    ("socialaccount_socialaccount", "extra_data", "jsonb"),
)
SENS = "; ".join(f"ALTER TABLE {table} ALTER COLUMN {c} SET STATISTICS {{n}}" for table, c, _ in COLONNES)
OUBLIER = "; ".join(f"ALTER TABLE {table} ALTER COLUMN {c} TYPE {t}" for table, c, t in COLONNES)


class Migration(migrations.Migration):
    dependencies = [
        ("horizon", "0002_charges_natives"),
        ("sessions", "0001_initial"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("socialaccount", "0006_alter_socialaccount_extra_data"),
    ]

    operations = [
        migrations.RunSQL(SENS.format(n=0), SENS.format(n=-1)),
        migrations.RunSQL(OUBLIER, migrations.RunSQL.noop),
    ]
