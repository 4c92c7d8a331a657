"""Registre des participants : ce qui traverse tout le Poste passe par lui, sans que les fondations importent une app.

Chaque app inscrit un `Participant` dans son `AppConfig.ready()`. Les services des fondations parcourent le registre
dans une seule transaction ; une méthode non redéfinie dit que l'app n'est pas concernée.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from msgspec import Struct

from horizon.noyau.decision import Acteur
from horizon.noyau.evenements import Recu, Resultat
from horizon.noyau.oublis import Cible


class Entree(Struct, frozen=True):
    """Un événement bien formé du lot, à sa place, avec le résultat que son récepteur remplira."""

    rang: int
    evenement: Recu


@dataclass(slots=True)
class Lot:
    """Événements bien formés d'un envoi, dans l'ordre ; `resultats[rang]` se remplit au passage. `bot_id` : None quand
    la plateforme parle elle-même (notification signée)."""

    entrees: Sequence[Entree]
    maintenant: datetime
    bot_id: int | None
    resultats: dict[int, Resultat] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Demande:
    """Contexte demandé par un bot : pour qui, vers où, avec quel budget. `compte_id` et `identite` : l'interlocuteur
    une fois reconnu ; un participant ne reçoit jamais de demande sans eux."""

    plateforme: str
    espace_externe: str
    visibilite: str
    interlocuteur_externe: str
    budget: int
    maintenant: datetime
    compte_id: int | None = None
    identite: UUID | None = None


class Participant:
    """Ce qu'une app sait faire de ce qui traverse tout. `modeles` : étiquettes des modèles liés à une Identité qu'elle
    couvre ; un modèle que personne ne couvre casse la suite d'essais (SR-01). `categories` : celles qu'elle sait
    oublier."""

    nom: str = ""
    modeles: frozenset[str] = frozenset()
    recoit: tuple[type, ...] = ()
    categories: frozenset[str] = frozenset()

    def recevoir(self, lot: Lot) -> None:
        """Traite les événements du lot dont le type est dans `recoit`, dans l'ordre."""

    def projeter(self, demande: Demande, reponse: dict[str, Any], budget: int) -> int:
        """Ajoute à `reponse` ce qui peut l'être et rend le budget de tokens qui reste."""
        return budget

    def attester_avis(self, jeton: str, *, plateformes: Sequence[str], par: Acteur, maintenant: datetime) -> bool:
        """Note la remise d'un avis dont le jeton vient de cette app ; rend vrai si c'était le sien."""
        return False

    def absorber(self, source: UUID, cible: UUID, maintenant: datetime) -> None:
        """Rattache à l'Identité `cible` ce que détient `source`."""

    def detient(self, identites: Collection[UUID]) -> set[UUID]:
        """Identités de la liste pour lesquelles une donnée vivante existe."""
        return set()

    def contenu_avant(self, lignes: Sequence[tuple[int, int, datetime]]) -> set[int]:
        """Parmi des (clé, compte, instant), les clés dont le compte garde un contenu créé avant l'instant (ID-05)."""
        return set()

    def tient_espaces(self, espaces: Collection[int]) -> set[int]:
        """Espaces de la liste auxquels une donnée vivante est attachée."""
        return set()

    def consequences(self, cible: Cible) -> dict[str, int]:
        """Ce qu'un oubli effacerait, par nature ; les natures tues valent zéro."""
        return {}

    def oublier(self, cible: Cible, maintenant: datetime) -> None:
        """Efface ce que vise l'oubli et tout ce qui en dépend, sous les verrous de l'appelant. Rejouable : ce qui est
        postérieur à `cible.le` reste."""

    def purger(self, maintenant: datetime) -> int:
        """Efface ce qui a expiré et rend le nombre d'effacements de contenu."""
        return 0

    def retard(self, maintenant: datetime) -> timedelta:
        """Âge du plus vieux contenu expiré encore présent (zéro si aucun)."""
        return timedelta(0)

    def apercevoir_parametre(self, cle: str, valeur: int, maintenant: datetime) -> str:
        """Phrase chiffrée sur l'effet immédiat d'un changement (vide : aucun effet)."""
        return ""

    def appliquer_parametre(self, cle: str, valeur: int, maintenant: datetime) -> None:
        """Applique un changement de paramètre à ce qui est déjà gardé, dans la transaction du changement."""


_inscrits: list[Participant] = []


def inscrire(participant: Participant) -> None:
    """Inscrit un participant ; le même nom deux fois est une erreur de montage."""
    if any(p.nom == participant.nom for p in _inscrits):
        raise RuntimeError(f"participant {participant.nom} déjà inscrit")
    _inscrits.append(participant)


def tous() -> Iterator[Participant]:
    """Les participants, dans l'ordre d'inscription (fondations d'abord)."""
    return iter(_inscrits)


def recepteur(evenement: Recu) -> Participant | None:
    """Le participant qui traite ce type d'événement, s'il en est un."""
    return next((p for p in _inscrits if isinstance(evenement, p.recoit)), None)


def detenues(identites: Iterable[UUID]) -> set[UUID]:
    """Identités qu'au moins un participant détient encore."""
    liste = list(identites)
    return set().union(*(p.detient(liste) for p in _inscrits))


def attester_avis(jeton: str, *, plateformes: Sequence[str], par: Acteur, maintenant: datetime) -> None:
    """Confie le jeton d'avis au participant qui l'a émis."""
    any(p.attester_avis(jeton, plateformes=plateformes, par=par, maintenant=maintenant) for p in _inscrits)
