"""Le garde : dit si un texte peut devenir un souvenir, sans réseau, sans base, sans hasard (SE-01 à SE-12).

    avis = examiner("adore les cartes au trésor", origine="demande")
    avis.decision   # Verdict.ADMIS

Même texte, même avis, sur toute machine. L'avis ne contient jamais le texte.
"""

from horizon.noyau.sensibilite.avis import (
    LIBELLES,
    LONGUEUR_MAXIMALE,
    Avis,
    Origine,
    Sensible,
    Verdict,
    Versions,
)
from horizon.noyau.sensibilite.moteur import VERSION, examiner

__all__ = ["LIBELLES", "LONGUEUR_MAXIMALE", "VERSION", "Avis", "Origine", "Sensible", "Verdict", "Versions", "examiner"]
