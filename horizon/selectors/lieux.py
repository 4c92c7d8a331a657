"""Résoudre la destination d'un contexte : qui lit, où, et sous quel régime (DV-01)."""

from dataclasses import dataclass

from horizon.models import Compte, Espace
from horizon.participants import Demande


@dataclass(frozen=True, slots=True)
class Lieu:
    """Une destination reconnue : son espace, et la visibilité de ce qui peut y paraître."""

    espace_id: int
    visibilite: str


def compte_de(demande: Demande) -> Compte | None:
    """Le compte de l'interlocuteur sur la plateforme de destination, s'il est connu et d'une Personne."""
    return Compte.objects.filter(
        plateforme=demande.plateforme, externe_id=demande.interlocuteur_externe, nature=Compte.Nature.PERSONNE
    ).first()


def lieu_de_destination(demande: Demande) -> Lieu | None:
    """La destination, ou None si rien ne peut y paraître.

    Privé : seulement l'échange à deux avec cet interlocuteur. Annoncé privé sans l'être : traité comme public. Un
    espace devenu privé, ou un fil dont le salon l'est devenu, n'est plus projeté en public (CT-19).
    """
    espace = Espace.objects.filter(plateforme=demande.plateforme, externe_id=demande.espace_externe).first()
    if espace is None:
        return None
    if espace.visibilite == Espace.Visibilite.PUBLIC:
        if devenu_prive(espace):
            return None
        return Lieu(espace.pk, "public")
    if demande.visibilite == "prive" and espace.interlocuteur_id == demande.compte_id is not None:
        return Lieu(espace.pk, "prive")
    return None


def devenu_prive(espace: Espace) -> bool:
    """Vrai si l'espace est privé, ou un fil dont le salon l'est devenu."""
    if espace.visibilite == Espace.Visibilite.PRIVE:
        return True
    return (
        bool(espace.parent_externe)
        and Espace.objects.filter(
            plateforme=espace.plateforme, externe_id=espace.parent_externe, visibilite=Espace.Visibilite.PRIVE
        ).exists()
    )
