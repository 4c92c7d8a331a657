"""Ce qu'un lot porte entre le tri et l'insertion : messages admis, questions visées."""

from dataclasses import dataclass
from datetime import datetime

from horizon.noyau.evenements import Message, Resultat
from horizon.services.identites import Cle


@dataclass(slots=True)
class Candidat:
    """Un message admis par le tri, en attente d'insertion."""

    rang: int
    message: Message
    personne: str
    poubelle: bool
    prive: bool
    texte: str
    expire_a: datetime
    espace_id: int | None
    compte_id: int

    @property
    def cle(self) -> Cle:
        return self.message.plateforme, self.message.id

    @property
    def cle_de_la_personne(self) -> Cle:
        return self.message.plateforme, self.personne

    @property
    def cle_du_lieu(self) -> Cle:
        return self.message.plateforme, self.message.espace.id


@dataclass(frozen=True, slots=True)
class Question:
    """Ce que la mémoire sait du message auquel P.O.U.B.E.L.L.E. répond."""

    vivante: bool
    expire_a: datetime
    externe_id: str | None
    espace_id: int | None
    visibilite: str | None


def exclu(message: Message, motif: str) -> Resultat:
    """Résultat d'un message écarté."""
    return Resultat(id=message.id, statut="exclu", motif=motif)
