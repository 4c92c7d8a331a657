"""Pseudonymes connus cités dans un texte : ce que le garde doit savoir pour reconnaître un tiers."""

import re
from uuid import UUID

from django.db.models.functions import Lower

from horizon.models import Compte

_MORCEAU = re.compile(r"[\w.-]{2,}")


def pseudonymes_cites(texte: str, *, sauf: UUID | None) -> set[str]:
    """Parmi les mots du texte, ceux qui sont le pseudonyme d'un compte connu, hors ceux de l'Identité `sauf`."""
    morceaux = {m.strip(".-").lower() for m in _MORCEAU.findall(texte)}
    comptes = (
        Compte.objects.alias(bas=Lower("pseudonyme")).filter(bas__in=morceaux) if morceaux else Compte.objects.none()
    )
    if sauf is not None:
        comptes = comptes.exclude(identite_id=sauf)
    return set(comptes.values_list("pseudonyme", flat=True)[:200])
