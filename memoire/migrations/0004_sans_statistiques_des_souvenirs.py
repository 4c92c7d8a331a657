"""Aucun texte de la mémoire longue n'est recopié dans `pg_statistic`, ni aucun pseudonyme par son index (DR-09)."""

from django.db import migrations

COLONNES = (
    ("memoire_souvenir", "contenu"),
    ("memoire_proposition", "contenu"),
    ("memoire_hypothese", "texte"),
)
SENS = "; ".join(f"ALTER TABLE {table} ALTER COLUMN {c} SET STATISTICS {{n}}" for table, c in COLONNES)
INDEX = "ALTER INDEX compte_par_pseudonyme ALTER COLUMN 1 SET STATISTICS {n}"


class Migration(migrations.Migration):
    dependencies = [("memoire", "0003_memoire_longue"), ("horizon", "0004_oublis")]

    operations = [
        migrations.RunSQL(SENS.format(n=0), SENS.format(n=-1)),
        migrations.RunSQL(INDEX.format(n=0), INDEX.format(n=-1)),
    ]
