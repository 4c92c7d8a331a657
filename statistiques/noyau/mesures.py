"""Les mesures : une liste fermée, chacune sur les plateformes où elle a un sens (ST-02, ST-03). Python pur."""

from dataclasses import dataclass
from datetime import datetime

from horizon.noyau.evenements import ActiviteWeb, Arrivee, Participation, Presence, Recu
from horizon.noyau.motifs import PLATEFORMES

FINALITE = "statistiques"
"""La seule finalité d'une observation (NO-07)."""

MESURES: dict[str, tuple[str, ...]] = {
    "message": PLATEFORMES,
    "raid": PLATEFORMES,
    "defi": PLATEFORMES,
    "evenement": PLATEFORMES,
    "presence": ("twitch",),
    "arrivee": ("twitch",),
    "activite_web": ("web",),
}
"""Mesure → plateformes où elle existe. Aucune n'en enjambe deux : rien ne se somme d'une plateforme à l'autre."""

A_REPERE = ("presence", "arrivee")
"""Mesures qui gardent un second instant : fin d'une présence, début du direct d'une arrivée (nul s'il est inconnu)."""

DISTINCTES = ("presence", "activite_web")
"""Mesures que leur propre instant rend unique : le même instant répété ne compte qu'une fois."""


@dataclass(frozen=True, slots=True)
class Mesure:
    """Ce qu'un événement mesure. `unique` : ce qui le rend unique chez son auteur, s'il porte un identifiant ; elle
    n'est jamais gardée, seule son empreinte l'est."""

    code: str
    instant: datetime
    repere: datetime | None = None
    unique: tuple[str, ...] | None = None


def mesurer(evenement: Recu) -> Mesure:
    """La mesure d'un événement d'observation. Une participation d'un genre inconnu compte comme `evenement`."""
    match evenement:
        case Arrivee():
            return Mesure("arrivee", evenement.instant, unique=("arrivee", evenement.espace.id, evenement.direct))
        case Presence():
            return Mesure("presence", evenement.debut, evenement.fin)
        case Participation():
            code = evenement.evenement if evenement.evenement in ("raid", "defi") else "evenement"
            unique = ("participation", evenement.evenement, evenement.id)
            return Mesure(code, evenement.instant, unique=unique)
        case ActiviteWeb():
            return Mesure("activite_web", evenement.instant)
    raise AssertionError("type d’événement sans mesure")
