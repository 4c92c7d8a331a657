"""Le tri des observations : ce qui compte, et sinon pourquoi (ST-04, ST-07). Python pur.

Une seule fonction décide, dans un ordre fixe : de qui il s'agit, où cela se passe, ce que la Personne a voulu, quand.
"""

from dataclasses import dataclass
from datetime import datetime

from horizon.noyau.lieux import LieuConnu
from horizon.noyau.temps import trois_mois_avant, trop_en_avance
from statistiques.noyau.mesures import MESURES, Mesure

RETENUE = ("compte", None)
Issue = tuple[str, str | None]
"""(statut, motif)."""


@dataclass(frozen=True, slots=True)
class Faits:
    """Ce que le serveur sait d'une observation. `reconnue` : compte d'une Personne à l'Identité revendiquée.
    `situee` : l'événement nomme un espace ; `lieu` : ce qu'on en sait."""

    plateforme: str
    reconnue: bool
    situee: bool = False
    lieu: LieuConnu | None = None
    en_pause: bool = False


def trier(mesure: Mesure, faits: Faits, maintenant: datetime) -> Issue:
    """`compte` si l'observation est retenue ; `ignore` ou `exclu` et son motif sinon ; `invalide` si elle se contredit.

    Rien n'est dit d'un compte qui n'est pas reconnu : `ignore`, quel que soit le reste.
    """
    if mesure.code == "presence" and mesure.repere is not None and mesure.repere < mesure.instant:
        return "invalide", "forme"
    if not faits.reconnue or faits.plateforme not in MESURES[mesure.code]:
        return "ignore", None
    motif = (motif_du_lieu(faits.lieu) if faits.situee else "") or ("pause" if faits.en_pause else "")
    if motif:
        return "exclu", motif
    return quand([t for t in (mesure.instant, mesure.repere) if t], maintenant)


def motif_du_lieu(lieu: LieuConnu | None) -> str:
    """`espace_ferme`, `espace_non_configure`, ou chaîne vide si l'on peut y observer."""
    if lieu is not None and lieu.ferme:
        return "espace_ferme"
    return "" if lieu is not None and lieu.configuration == "memorise" else "espace_non_configure"


def quand(instants: list[datetime], maintenant: datetime) -> Issue:
    """Juge des instants : trop en avance, sortis de la fenêtre (le premier fait foi), ou retenus."""
    if any(trop_en_avance(instant, maintenant) for instant in instants):
        return "exclu", "futur"
    return RETENUE if min(instants) > trois_mois_avant(maintenant) else ("ignore", None)
