"""Le fichier mis en ordre : une suite d'étapes datées, prêtes à être envoyées comme un bot les enverrait."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from horizon.demo.communaute import POUBELLE, Communaute, Conversation, Espace, Replique, identifiant

Evenement = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Envoi:
    """Un événement. `attendu` : (statut, motif) que le Poste devrait rendre ; None : non prédit."""

    quand: datetime
    evenement: Evenement
    attendu: tuple[str, str | None] | None = None


@dataclass(frozen=True, slots=True)
class Echange:
    """Un échange privé, envoyé d'un bloc ; `avis` : sa remise sera attestée si le Poste la demande."""

    quand: datetime
    envois: list[Envoi]
    avis: bool


@dataclass(frozen=True, slots=True)
class Suspend:
    """Une Personne suspend sa mémorisation."""

    quand: datetime
    plateforme: str
    externe_id: str


@dataclass(frozen=True, slots=True)
class Ferme:
    """Un espace est fermé par le Capitaine, ou retiré."""

    quand: datetime
    plateforme: str
    externe_id: str
    retirer: bool


Etape = Envoi | Echange | Suspend | Ferme


class Montage:
    """Monte les étapes d'un chargement. `prefixe` : rend ses identifiants de messages uniques."""

    def __init__(self, communaute: Communaute, prefixe: str, maintenant: datetime) -> None:
        self.communaute = communaute
        self.prefixe = prefixe
        self.maintenant = maintenant

    def etapes(self) -> list[Etape]:
        """Toutes les étapes, dans l'ordre du temps."""
        suite: list[Etape] = [*self._actes()]
        for rang, conversation in enumerate(self.communaute.conversations):
            espace = self.communaute.espaces[conversation.espace]
            envois = list(self._conversation(rang, conversation, espace))
            if espace.prive:
                suite.append(Echange(envois[0].quand, envois, espace.avis))
            else:
                suite += envois
        return sorted(suite, key=lambda etape: etape.quand)

    def _actes(self) -> Iterator[Etape]:
        for pause in self.communaute.pauses:
            yield Suspend(self._avant(pause.a), pause.plateforme, self.communaute.id_de(pause.personne))
        for cle, espace in self.communaute.espaces.items():
            for minutes, retirer in ((espace.ferme_a, False), (espace.retire_a, True)):
                if minutes is not None:
                    yield Ferme(self._avant(minutes), espace.plateforme, identifiant(cle), retirer)
        for purge in self.communaute.purges:
            quand = self._avant(purge.a)
            yield Envoi(
                quand,
                {
                    "type": "purge_auteur",
                    "plateforme": self.communaute.espaces[purge.espace].plateforme,
                    "espace": self._lieu(purge.espace),
                    "auteur": {"id": self.communaute.id_de(purge.auteur)},
                    "jusqu_a": quand.isoformat(),
                },
            )

    def _conversation(self, rang: int, conversation: Conversation, espace: Espace) -> Iterator[Envoi]:
        # Un rythme régulier sonnerait faux ; la même graine donne le même direct à chaque chargement.
        hasard = random.Random(rang)
        quand = self._avant(conversation.debut)
        for numero, replique in enumerate(conversation.repliques):
            emis_le = quand if replique.a_minutes is None else self._avant(replique.a_minutes)
            message = self._message(rang, numero, conversation, emis_le)
            # L'instant de l'envoi reste celui du fil, même quand la réplique porte une autre date.
            yield Envoi(quand, message, self._attendu(replique, conversation.espace))
            yield from self._suites(replique, message, espace, emis_le)
            quand += timedelta(seconds=conversation.rythme * hasard.uniform(0.6, 1.4))

    def _attendu(self, replique: Replique, espace: str) -> tuple[str, str | None] | None:
        """Ce que le Poste devrait répondre. Un auteur purgé au chargement précédent peut être refusé à celui-ci."""
        if any((purge.auteur, purge.espace) == (replique.de, espace) for purge in self.communaute.purges):
            return None
        return ("exclu", replique.exclu) if replique.exclu else ("memorise", None)

    def _suites(self, replique: Replique, message: Evenement, espace: Espace, emis_le: datetime) -> Iterator[Envoi]:
        commun = {"plateforme": espace.plateforme, "espace": message["espace"]}
        if replique.devient:
            quand = emis_le + timedelta(minutes=1)
            suite = {"id": message["id"], "contenu": replique.devient, "modifie_le": quand.isoformat()}
            yield Envoi(quand, {"type": "modification", **commun, **suite})
        if replique.supprime is not None:
            quand = emis_le + timedelta(minutes=replique.supprime)
            yield Envoi(quand, {"type": "suppression", **commun, "ids": [message["id"]]})

    def _message(self, rang: int, numero: int, conversation: Conversation, emis_le: datetime) -> Evenement:
        replique = conversation.repliques[numero]
        espace = self.communaute.espaces[conversation.espace]
        message: Evenement = {
            "type": "message",
            "id": self._id(rang, numero),
            "plateforme": espace.plateforme,
            "espace": self._lieu(conversation.espace),
            "auteur": self._auteur(replique.de, espace.plateforme, emis_le),
            "contenu": replique.dit,
            "emis_le": emis_le.isoformat(),
        }
        if replique.nature != "aucune":
            message["nature"] = replique.nature
        if conversation.direct:
            message["contexte"] = {"direct": f"{self.prefixe}-direct", "jeu": self.communaute.jeu}
        vise = self._visee(replique, numero)
        if vise is not None:
            message["reponse_a"] = self._id(rang, vise)
        if replique.de == POUBELLE and vise is not None:
            message["interlocuteur"] = {"id": self.communaute.id_de(conversation.repliques[vise].de)}
        return message

    def _visee(self, replique: Replique, numero: int) -> int | None:
        """Rang (à partir de 0) de la réplique visée ; P.O.U.B.E.L.L.E. répond, sans précision, à la précédente."""
        if replique.a is not None:
            return replique.a - 1
        return numero - 1 if replique.de == POUBELLE else None

    def _auteur(self, cle: str, plateforme: str, emis_le: datetime) -> Evenement:
        minutes = (self.maintenant - emis_le).total_seconds() / 60
        automate = self.communaute.automates.get(cle)
        return {
            "id": self.communaute.id_de(cle),
            "pseudonyme": self.communaute.acteur(cle).pseudonyme(plateforme, minutes),
            "nature": automate.nature if automate else "personne",
        }

    def _lieu(self, cle: str) -> Evenement:
        espace = self.communaute.espaces[cle]
        if not espace.prive:
            return {"id": identifiant(cle), "visibilite": "public"}
        presents = [p if p == POUBELLE else self.communaute.id_de(p) for p in espace.participants]
        return {"id": identifiant(cle), "visibilite": "prive", "participants": presents}

    def _id(self, rang: int, numero: int) -> str:
        return f"{self.prefixe}-{rang}-{numero}"

    def _avant(self, minutes: float) -> datetime:
        return self.maintenant - timedelta(minutes=minutes)


def ids_par_plateforme(communaute: Communaute, prefixe: str) -> dict[str, list[str]]:
    """Identifiants de tous les messages d'un chargement, pour pouvoir le retirer."""
    ids: dict[str, list[str]] = {}
    for rang, conversation in enumerate(communaute.conversations):
        plateforme = communaute.espaces[conversation.espace].plateforme
        ids.setdefault(plateforme, []).extend(f"{prefixe}-{rang}-{n}" for n in range(len(conversation.repliques)))
    return ids
