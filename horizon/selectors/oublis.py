"""Ce que les bots apprennent des oublis : par compte, sur leurs plateformes, rien qui relie deux comptes (DR-11)."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction

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
    """Curseur rendu par un appel précédent ; vide : depuis le début ; None s'il est illisible.

    Un instant, et combien d'oublis dits à cet instant furent déjà rendus : la clé d'une ligne, que les lignes d'un même
    oubli ont voisines, dirait que deux comptes sont liés.
    """
    if not texte:
        return _EPOQUE, 0
    instant, _, rang = texte.partition(".")
    if not (instant.isdecimal() and rang.isdecimal() and instant.isascii() and rang.isascii() and len(texte) <= 40):
        return None
    try:
        return _EPOQUE + timedelta(microseconds=int(instant)), int(rang)
    except OverflowError:
        return None


def _ecrire_curseur(instant: datetime, rang: int) -> str:
    return f"{(instant - _EPOQUE) // timedelta(microseconds=1)}.{rang}"


def prendre_rang() -> None:
    """À prendre, jusqu'à la fin de la transaction, avant de dater un oubli : aucune liste ne le sautera."""
    executer("SELECT pg_advisory_xact_lock_shared(%b)::text", VERROU)


def _attendre_les_oublis() -> None:
    """Attend les oublis déjà datés ; retient les suivants jusqu'à la fin de la transaction."""
    executer("SELECT pg_advisory_xact_lock(%b)::text", VERROU)


def apres(curseur: Curseur, plateformes: Sequence[str], maintenant: datetime) -> tuple[list[dict[str, Any]], str]:
    """Oublis dits après ce curseur, du plus ancien au plus récent (500 au plus), et le curseur suivant."""
    instant, rang = curseur
    with transaction.atomic():
        # Lus plus tard, ils seraient derrière le curseur, jamais dits.
        _attendre_les_oublis()
        dits = Oubli.objects.filter(plateforme__in=plateformes, dit_le__lte=maintenant)
        deja = min(rang, dits.filter(dit_le=instant).count()) if rang else 0
        lignes = list(dits.filter(dit_le__gte=instant).order_by("dit_le", "pk")[deja : deja + PAGE])
    if not lignes:
        return [], ""
    dernier = lignes[-1].dit_le
    rendus = sum(o.dit_le == dernier for o in lignes) + (deja if dernier == instant else 0)
    return [_dire(o) for o in lignes], _ecrire_curseur(dernier, rendus)


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
    """Oublis du registre que la base ne connaît pas : elle vient d'être restaurée, ou un arrêt les a interrompus.

    Celui qui s'inscrit à l'instant n'en est pas : sa transaction est attendue.
    """
    attendus = _inconnus(registre.lire(depuis_quand(maintenant)))
    if not attendus:
        return []
    with transaction.atomic():
        _attendre_les_oublis()
        return _inconnus(attendus)


def _inconnus(inscrits: Sequence[Cible]) -> list[Cible]:
    connus = set(Oubli.objects.filter(acte__in=[c.acte for c in inscrits]).values_list("acte", flat=True))
    # Une confirmation coupée puis reprise s'est inscrite deux fois : la dernière dit jusqu'où elle oublie.
    return list({c.acte: c for c in inscrits if c.acte not in connus}.values())
