"""« D'où le sais-tu ? » : la provenance générale d'un souvenir et sa date, sans jamais nommer un lieu (LT-11). Pur."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from memoire.noyau.categories import Origine

PARIS = ZoneInfo("Europe/Paris")
MOIS = (
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
    "décembre",
)  # fmt: skip
SOURCES = {
    Origine.DEMANDE: "la Personne l’a demandé",
    Origine.PROPOSITION: "P.O.U.B.E.L.L.E. l’a compris de ce qui s’est dit",
    Origine.REGLE: "une règle d’événement l’a noté",
    Origine.SA: "un Super administrateur l’a écrit",
}


@dataclass(frozen=True, slots=True)
class Provenance:
    """Ce qui peut être répondu : une phrase, un lieu en général (`ici` ou `prive`), une date en mots."""

    phrase: str
    lieu: str
    date: str


def dire(origine: str, visibilite: str, enregistre_le: datetime) -> Provenance:
    """La provenance d'un souvenir qu'on a le droit de dire là où on le demande. Né en public, sa date est au jour ; né
    en privé, au mois : un jour désignerait l'échange."""
    au_jour = visibilite == "public"
    return Provenance(SOURCES[Origine(origine)], "ici" if au_jour else "prive", _date(enregistre_le, au_jour=au_jour))


def _date(instant: datetime, *, au_jour: bool) -> str:
    local = instant.astimezone(PARIS)
    mois = f"{MOIS[local.month - 1]} {local.year}"
    return f"{'1er' if local.day == 1 else local.day} {mois}" if au_jour else mois
