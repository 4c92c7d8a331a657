"""Observations telles qu'un bot les envoie, et ce que la base en a rangé."""

import itertools
from datetime import datetime
from typing import Any

from django.utils.timezone import now

from horizon.models import Identite
from horizon.noyau.decision import EXPLOITATION
from horizon.services import identites
from statistiques.models import Observation
from tests.fabriques import ADA, SALON, il_y_a, iso

_numeros = itertools.count(1)


def revendiquer(externe_id: str = ADA, plateforme: str = "twitch", lier: Any = ()) -> Identite:
    """Fait reconnaître un compte, et ceux à lier."""
    return identites.revendiquer(
        plateforme=plateforme, externe_id=externe_id, lier=lier, motif="essai", par=EXPLOITATION, maintenant=now()
    )


def participation(**champs: Any) -> dict[str, Any]:
    """Une participation d'Ada à un raid, maintenant."""
    base = {
        "type": "participation",
        "plateforme": "twitch",
        "auteur": {"id": ADA},
        "evenement": "raid",
        "id": f"raid{next(_numeros)}",
        "instant": iso(now()),
    }
    return base | champs


def arrivee(**champs: Any) -> dict[str, Any]:
    """Une arrivée d'Ada dans le direct du salon, maintenant."""
    base = {
        "type": "arrivee",
        "plateforme": "twitch",
        "espace": SALON,
        "auteur": {"id": ADA},
        "instant": iso(now()),
        "direct": f"direct{next(_numeros)}",
    }
    return base | champs


def presence(**champs: Any) -> dict[str, Any]:
    """Une présence d'Ada, de deux heures plus tôt à une heure plus tôt."""
    base = {
        "type": "presence",
        "plateforme": "twitch",
        "espace": SALON,
        "auteur": {"id": ADA},
        "debut": il_y_a(hours=2),
        "fin": il_y_a(hours=1),
    }
    return base | champs


def activite(**champs: Any) -> dict[str, Any]:
    """Une visite d'Ada sur le site, maintenant."""
    base = {
        "type": "activite_web",
        "plateforme": "web",
        "auteur": {"id": ADA},
        "instant": iso(now()),
        "page": "accueil",
    }
    return base | champs


def direct(**champs: Any) -> dict[str, Any]:
    """Un direct du salon : `debut` ou `fin` à donner."""
    return {"type": "direct", "plateforme": "twitch", "espace": SALON, "id": "d1"} | champs


def ranges(identite: Identite | None = None) -> dict[tuple[str, str], list[datetime]]:
    """Instants rangés par (plateforme, mesure), triés, tous jours confondus."""
    lignes = Observation.objects.all()
    if identite is not None:
        lignes = lignes.filter(identite=identite)
    rendus: dict[tuple[str, str], list[datetime]] = {}
    for ligne in lignes:
        rendus.setdefault((ligne.plateforme, ligne.mesure), []).extend(ligne.instants)
    return {cle: sorted(instants) for cle, instants in rendus.items()}


def nombres(identite: Identite | None = None) -> dict[tuple[str, str], int]:
    """Combien d'instants par (plateforme, mesure)."""
    return {cle: len(instants) for cle, instants in ranges(identite).items()}
