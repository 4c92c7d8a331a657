"""Le barème de confiance, en un seul endroit (CF-01 à CF-08). Entiers de 0 à 100, Python pur.

La table et la courbe sont dans `memoire/README.md`, tirées d'ici.
"""

from memoire.noyau.categories import Origine

MINIMUM, MAXIMUM = 0, 100
INITIALES = {Origine.DEMANDE: 90, Origine.SA: 80, Origine.REGLE: 70, Origine.PROPOSITION: 60}
"""Confiance d'un souvenir neuf. Pour une règle ou une proposition, un plafond : sa fiabilité annoncée, si elle est plus
basse."""
CORRECTION = 95
"""Confiance après une correction par la Personne."""
FIABILITE_MINIMALE = 40
"""En deçà, une proposition ou une règle n'écrit rien."""
ECART = 15
"""De combien la fiabilité doit dépasser la confiance restante pour remplacer (CF-08)."""
CONTRADICTIONS_POUR_CEDER = 2
"""Contradictions non levées après lesquelles un souvenir né d'une demande peut être remplacé par un autre que la
Personne (CF-04)."""
PERTE_DE_SOURCE = 60
"""Fiabilité de la contradiction que vaut la suppression de la dernière source d'un souvenir (CT-16)."""
PART_DE_CONCORDANCE = 4
PART_DE_CONTRADICTION = 3
SEUIL_SUR, SEUIL_PROBABLE = 70, 40


def initiale(origine: Origine, fiabilite: int) -> int:
    """Confiance d'un souvenir que cette origine vient d'écrire."""
    plafond = INITIALES[origine]
    return min(plafond, fiabilite) if origine in (Origine.PROPOSITION, Origine.REGLE) else plafond


def renforcer(confiance: int, fiabilite: int) -> int:
    """Une concordance rapproche de 100 d'un quart du chemin, à proportion de sa fiabilité ; jamais moins d'un point."""
    gain = (MAXIMUM - confiance) * fiabilite // (PART_DE_CONCORDANCE * 100)
    return min(MAXIMUM, confiance + max(1, gain)) if fiabilite else confiance


def affaiblir(confiance: int, fiabilite: int) -> int:
    """Une contradiction retire un tiers de sa fiabilité ; jamais moins d'un point."""
    return max(MINIMUM, confiance - max(1, fiabilite // PART_DE_CONTRADICTION)) if fiabilite else confiance


def peut_remplacer(confiance: int, nee_d_une_demande: bool, contradictions: int, fiabilite: int) -> bool:
    """Vrai si une proposition de cette fiabilité l'emporte sur un souvenir (CF-04, CF-08)."""
    if nee_d_une_demande and contradictions < CONTRADICTIONS_POUR_CEDER:
        return False
    return fiabilite > confiance + ECART


def certitude(confiance: int, contradictions: int) -> str:
    """Le mot rendu aux bots : `sur`, `probable` ou `incertain`. Jamais `sur` sous une contradiction (DV-13, CF-08)."""
    if confiance >= SEUIL_SUR:
        return "probable" if contradictions else "sur"
    return "probable" if confiance >= SEUIL_PROBABLE and not contradictions else "incertain"
