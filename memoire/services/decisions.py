"""Compter les décisions du Noyau : par heure, origine, catégorie, effet et motif ; ni texte, ni Personne."""

from datetime import UTC, datetime

from horizon.binaire import executer
from memoire.noyau.souvenirs import Issue


def compter(issue: Issue, *, origine: str, categorie: str, maintenant: datetime) -> None:
    """Ajoute une décision au compte de son heure."""
    heure = maintenant.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    executer(
        """INSERT INTO memoire_decisionnoyau AS d (heure, origine, categorie, effet, motif, nombre)
           VALUES (%b, %b, %b, %b, %b, 1)
           ON CONFLICT (heure, origine, categorie, effet, motif) DO UPDATE SET nombre = d.nombre + 1""",
        heure,
        origine,
        categorie,
        issue.effet.value,
        issue.motif,
    )
