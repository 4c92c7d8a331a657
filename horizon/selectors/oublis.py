"""Ce que les bots apprennent des oublis : par compte, sur leurs plateformes, rien qui relie deux comptes (DR-11)."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from horizon import registre
from horizon.binaire import executer
from horizon.models import Oubli
from horizon.noyau.oublis import Cible
from horizon.parametres import AGE_DES_SAUVEGARDES
from horizon.selectors import parametres

PAGE = 500
VERROU = 0x484F5204
_EPOQUE = datetime(1970, 1, 1, tzinfo=UTC)
Curseur = tuple[datetime, int]


def lire_curseur(texte: str) -> Curseur | None:
    """Curseur rendu par un appel précédent ; vide : depuis le début ; None s'il est illisible."""
    if not texte:
        return _EPOQUE, 0
    instant, _, rang = texte.partition(".")
    if not (instant.isdecimal() and rang.isdecimal() and instant.isascii() and rang.isascii() and len(texte) <= 40):
        return None
    try:
        return _EPOQUE + timedelta(microseconds=int(instant)), int(rang)
    except OverflowError:
        return None


def _ecrire_curseur(oubli: Oubli) -> str:
    return f"{(oubli.dit_le - _EPOQUE) // timedelta(microseconds=1)}.{oubli.pk}"


def prendre_rang() -> None:
    """À prendre, jusqu'à la fin de la transaction, avant de dater un oubli : aucune liste ne le sautera."""
    executer("SELECT pg_advisory_xact_lock_shared(%b)::text", VERROU)


def apres(curseur: Curseur, plateformes: Sequence[str], maintenant: datetime) -> tuple[list[dict[str, Any]], str]:
    """Oublis dits après ce curseur, du plus ancien au plus récent (500 au plus), et le curseur suivant."""
    instant, rang = curseur
    with transaction.atomic():
        # Les oublis déjà datés finissent d'abord : lus plus tard, ils seraient derrière le curseur, jamais dits.
        executer("SELECT pg_advisory_xact_lock(%b)::text", VERROU)
        lignes = list(
            Oubli.objects.filter(plateforme__in=plateformes, dit_le__lte=maintenant)
            .filter(Q(dit_le__gt=instant) | Q(dit_le=instant, pk__gt=min(rang, 2**63 - 1)))
            .order_by("dit_le", "pk")[:PAGE]
        )
    return [_dire(o) for o in lignes], _ecrire_curseur(lignes[-1]) if lignes else ""


def _dire(oubli: Oubli) -> dict[str, Any]:
    dit: dict[str, Any] = {"nature": oubli.nature, "plateforme": oubli.plateforme, "le": oubli.dit_le}
    dit["personne"] = oubli.externe_id
    if oubli.nature == "categorie":
        dit["categorie"] = oubli.categorie
    if oubli.nature == "message":
        dit["message"] = oubli.message_id
    return dit


def depuis_quand(maintenant: datetime) -> datetime:
    """Date de la plus vieille sauvegarde possible : plus tôt, le registre n'a plus rien à rejouer."""
    return maintenant - timedelta(days=parametres.valeur(AGE_DES_SAUVEGARDES))


def en_attente(maintenant: datetime) -> list[Cible]:
    """Oublis du registre que la base ne connaît pas : elle vient d'être restaurée, ou un arrêt les a interrompus."""
    inscrits = registre.lire(depuis_quand(maintenant))
    connus = set(Oubli.objects.filter(acte__in=[c.acte for c in inscrits]).values_list("acte", flat=True))
    # Une confirmation coupée puis reprise s'est inscrite deux fois : la dernière dit jusqu'où elle oublie.
    return list({c.acte: c for c in inscrits if c.acte not in connus}.values())
