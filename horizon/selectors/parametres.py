"""Lecture des paramètres et de leur historique."""

from horizon.models import ChangementParametre, Parametre
from horizon.parametres import Definition, toutes


def valeur(definition: Definition) -> int:
    """Valeur courante d'un paramètre, dans son unité."""
    choisie = Parametre.objects.filter(cle=definition.cle).values_list("valeur", flat=True).first()
    return definition.initiale if choisie is None else choisie


def catalogue() -> list[tuple[Definition, int, int]]:
    """Chaque définition avec sa valeur courante et sa version (0 : jamais changée)."""
    choisis = {p.cle: p for p in Parametre.objects.all()}
    return [
        (
            d,
            choisis[d.cle].valeur if d.cle in choisis else d.initiale,
            choisis[d.cle].version if d.cle in choisis else 0,
        )
        for d in toutes()
    ]


def historique(cle: str, limite: int = 20) -> list[ChangementParametre]:
    """Derniers changements d'un paramètre, du plus récent au plus ancien."""
    return list(
        ChangementParametre.objects.filter(cle=cle).select_related("par").order_by("-change_le", "-pk")[:limite]
    )
