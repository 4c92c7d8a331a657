"""PostgreSQL recopie dans `pg_statistic` des valeurs de chaque colonne qu'il analyse, et les y laisse après leur
effacement. Rien de ce qui fut dit n'y entre : ces colonnes ne servent à aucun choix de plan (DR-09)."""

from django.db import migrations

COLONNES = ("contenu", "contexte", "action", "resultat")
SENS = "; ".join(f"ALTER TABLE memoire_interaction ALTER COLUMN {c} SET STATISTICS {{n}}" for c in COLONNES)
# Ce qui y fut déjà recopié : rien ne l'y remplacerait. Changer une colonne pour son propre type l'en retire, sans
# réécrire la table.
OUBLIER = "; ".join(
    f"ALTER TABLE memoire_interaction ALTER COLUMN {c} TYPE {t}"
    for c, t in zip(COLONNES, ("text", "jsonb", "varchar(64)", "varchar(200)"), strict=True)
)


class Migration(migrations.Migration):
    dependencies = [("memoire", "0001_initial")]

    operations = [
        migrations.RunSQL(SENS.format(n=0), SENS.format(n=-1)),
        migrations.RunSQL(OUBLIER, migrations.RunSQL.noop),
    ]
