"""Réception d'un lot par la mémoire courte : les événements passent dans l'ordre, les messages voisins ensemble."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby

from horizon.binaire import executer
from horizon.noyau.evenements import (
    Coupure,
    Exclusion,
    Message,
    Modification,
    PurgeAuteur,
    Recu,
    Releve,
    Resultat,
    Suppression,
    Vidage,
    espace_de,
)
from horizon.participants import Entree, Lot
from memoire.noyau.expiration import VIE_MAXIMALE
from memoire.services.faits import Connus, rassembler
from memoire.services.messages import enregistrer
from memoire.services.modifications import modifier
from memoire.services.retraits import couper, purger_auteur, relever, supprimer, vider
from statistiques.services.messages import compter_messages

TYPES = (Message, Modification, Suppression, PurgeAuteur, Vidage, Releve, Coupure, Exclusion)


def recevoir(lot: Lot) -> None:
    """Traite les événements de mémoire courte du lot et remplit leurs résultats."""
    entrees = [e for e in lot.entrees if isinstance(e.evenement, TYPES)]
    if not entrees:
        return
    connus = rassembler((e.evenement for e in entrees), lot.maintenant)
    for est_message, suite in groupby(entrees, key=lambda e: isinstance(e.evenement, Message)):
        if est_message:
            lot.resultats |= enregistrer(list(suite), connus, lot.maintenant)
        else:
            for entree in suite:
                lot.resultats[entree.rang] = _agir(entree.evenement, connus, lot.maintenant)
    compter_messages((connus.comptes[cle], cle[0], emis_le) for cle, emis_le in connus.nouveaux)
    _compter(entrees, lot, connus)


def _agir(evenement: Recu, connus: Connus, maintenant: datetime) -> Resultat:
    match evenement:
        case Modification():
            return modifier(evenement, maintenant)
        case Suppression():
            return supprimer(evenement, maintenant)
        case PurgeAuteur():
            return purger_auteur(evenement, connus, maintenant)
        case Vidage():
            return vider(evenement, connus, maintenant)
        case Releve():
            return relever(evenement, connus, maintenant)
        case Coupure():
            return couper(evenement, connus, maintenant)
        case Exclusion():
            return Resultat(id=evenement.id, statut="exclu", motif=evenement.motif)
    raise AssertionError("type d’événement sans traitement")


def _compter(entrees: Sequence[Entree], lot: Lot, connus: Connus) -> None:
    """Ajoute aux compteurs d'entrées : ni contenu, ni auteur, ni identifiant de message, ni échange privé (il
    désignerait sa Personne)."""
    compte: Counter[tuple[datetime, str, int | None, str, str]] = Counter()
    for entree in entrees:
        evenement, resultat = entree.evenement, lot.resultats[entree.rang]
        espace = espace_de(evenement)
        lieu = connus.lieux.get((evenement.plateforme, espace.id)) if espace else None
        espace_id = lieu[0] if lieu and lieu[1].visibilite == "public" else None
        effaces = resultat.nombre if resultat.statut == "supprime" and resultat.nombre is not None else 1
        if effaces:
            heure = _heure(evenement, lot.maintenant)
            compte[heure, evenement.plateforme, espace_id, resultat.statut, resultat.motif or ""] += effaces
    if compte:
        executer(
            """INSERT INTO memoire_compteurentree (heure, plateforme, espace_id, statut, motif, nombre, dernier)
               SELECT *, %b FROM unnest(
                   %b::timestamptz[], %b::text[], %b::bigint[], %b::text[], %b::text[], %b::int[])""",
            lot.maintenant,
            *(list(colonne) for colonne in zip(*((*cle, n) for cle, n in compte.items()), strict=True)),
        )


def _heure(evenement: Recu, maintenant: datetime) -> datetime:
    """Heure à laquelle l'événement compte : celle où un message fut dit, sinon celle de la réception."""
    instant = evenement.emis_le if isinstance(evenement, Message) else maintenant
    if not maintenant - VIE_MAXIMALE < instant <= maintenant:
        instant = maintenant
    en_utc = instant if instant.tzinfo is UTC else instant.astimezone(UTC)
    return en_utc.replace(minute=0, second=0, microsecond=0)
