"""Recevoir un lot d'événements : chaque type va au participant qui le traite, dans une seule transaction.

Le lot entier passe ou rien ; s'il échoue, chaque événement est rejoué seul, et seul le fautif est rendu invalide.
"""

from collections.abc import Sequence
from datetime import datetime

import structlog
from django.db import DataError, OperationalError, transaction

from horizon import participants
from horizon.binaire import executer
from horizon.noyau.evenements import Recu, Resultat
from horizon.participants import Entree, Lot
from horizon.services.parametres import VERROU as VERROU_DES_PARAMETRES
from horizon.services.reprise import concurrence

journal = structlog.get_logger(__name__)
ESSAIS = 4
VERROU_DES_LOTS = 0x484F5202


def recevoir(
    evenements: Sequence[Recu], *, bot_id: int | None, plateformes: Sequence[str], maintenant: datetime
) -> list[Resultat]:
    """Un résultat par événement, dans le même ordre. Une plateforme que le bot n'a pas : `invalide`.

    `bot_id` : None quand la plateforme parle elle-même, par une notification signée.
    """
    resultats: dict[int, Resultat] = {}
    entrees = []
    for rang, evenement in enumerate(evenements):
        if evenement.plateforme not in plateformes:
            resultats[rang] = invalide(evenement, "plateforme_interdite")
        elif participants.recepteur(evenement) is None:
            resultats[rang] = invalide(evenement, "type_inconnu")
        else:
            entrees.append(Entree(rang, evenement))
    if entrees:
        resultats |= _traiter(entrees, bot_id, maintenant)
    return [resultats[rang] for rang in range(len(evenements))]


def _traiter(entrees: list[Entree], bot_id: int | None, maintenant: datetime) -> dict[int, Resultat]:
    try:
        return _en_transaction(entrees, bot_id, maintenant)
    except DataError:
        if len(entrees) == 1:
            return {entrees[0].rang: invalide(entrees[0].evenement, "texte_illisible")}
        journal.warning("lot_rejoue", nombre=len(entrees))
        resultats: dict[int, Resultat] = {}
        for entree in entrees:
            resultats |= _traiter([entree], bot_id, maintenant)
        return resultats


def _en_transaction(entrees: list[Entree], bot_id: int | None, maintenant: datetime) -> dict[int, Resultat]:
    """Une transaction pour le lot. Si la base a départagé deux lots qui se croisaient, le perdant repasse seul."""
    for essai in range(ESSAIS):
        try:
            with transaction.atomic():
                _prendre_place(seul=essai > 0)
                lot = Lot(entrees=entrees, maintenant=maintenant, bot_id=bot_id)
                for participant in participants.tous():
                    if participant.recoit:
                        participant.recevoir(lot)
                return lot.resultats
        except OperationalError as erreur:
            if essai == ESSAIS - 1 or not concurrence(erreur):
                raise
            journal.info("lot_retente", essai=essai + 1)
    raise AssertionError("inatteignable")


def _prendre_place(*, seul: bool) -> None:
    """Les lots avancent ensemble, paramètres figés ; un lot retenté attend que les autres finissent et passe seul, donc
    passe."""
    verrou = "pg_advisory_xact_lock" if seul else "pg_advisory_xact_lock_shared"
    executer(
        f"SELECT pg_advisory_xact_lock_shared(%b)::text, {verrou}(%b)::text", VERROU_DES_PARAMETRES, VERROU_DES_LOTS
    )


def invalide(evenement: Recu, motif: str) -> Resultat:
    """Résultat d'un événement bien formé que personne ne peut traiter."""
    return Resultat(id=getattr(evenement, "id", None), statut="invalide", motif=motif)
