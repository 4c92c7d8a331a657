"""Quand un message expire : calculé une fois, à la réception, jamais prolongé (CT-04, CT-05). Python pur."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from horizon.noyau.temps import AVANCE_TOLEREE

VIE_MAXIMALE = timedelta(hours=24)

VIE_TOMBALE = VIE_MAXIMALE + AVANCE_TOLEREE
"""Au-delà, le message visé ne pourrait plus être vivant : la pierre tombale n'a plus d'objet."""


def duree_annoncee(emis_le: datetime, durees: Sequence[tuple[datetime, timedelta]]) -> timedelta:
    """La plus courte durée en vigueur depuis l'émission.

    `durees` : suite (depuis, durée) du plus récent au plus ancien ; la dernière vaut depuis toujours. Un message émis
    quand la durée était courte garde cette durée, même reçu ou renvoyé après un rallongement.
    """
    retenue = durees[0][1]
    for depuis, duree in durees:
        retenue = min(retenue, duree)
        if depuis <= emis_le:
            break
    return retenue


def expiration(emis_le: datetime, recu_le: datetime, duree: timedelta) -> datetime:
    """Instant d'expiration : depuis l'émission, et jamais au-delà de réception + durée."""
    return min(emis_le, recu_le) + duree
