"""Témoins : une observation ne compte qu'une fois, même rejouée, même redite par la même source (CF-06, CF-07)."""

import hmac
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings

from memoire.models import Temoin

if TYPE_CHECKING:
    from memoire.services.souvenirs import Ecriture


def noter(identite: UUID, ecriture: "Ecriture", maintenant: datetime) -> bool:
    """Note les messages qu'une proposition invoque ; vrai si l'un d'eux n'avait pas encore compté."""
    references = [f"{plateforme}:{message}" for plateforme, message in ecriture.sources] or [ecriture.origine.value]
    neuves = [noter_reference(identite, ecriture.categorie, r, maintenant) for r in references]
    return any(neuves)


def noter_reference(identite: UUID, categorie: str, reference: str, maintenant: datetime) -> bool:
    """Vrai si cette référence est vue pour la première fois dans cette catégorie."""
    empreinte = hmac.digest(settings.SECRET_KEY.encode(), f"temoin:{reference}".encode(), "sha256").hex()[:32]
    _, neuf = Temoin.objects.get_or_create(
        identite_id=identite, categorie=categorie, empreinte=empreinte, defaults={"vu_le": maintenant}
    )
    return neuf
