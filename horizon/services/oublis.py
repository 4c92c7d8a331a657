"""Oublier : annoncer les conséquences, confirmer par un jeton, effacer partout, l'inscrire hors de la base (DR-02)."""

import hashlib
import random
import secrets
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import structlog
from django.core import signing
from django.db import transaction
from django.db.models import F
from django.utils.timezone import now
from msgspec.structs import replace

from horizon import participants, registre
from horizon.binaire import executer
from horizon.models import Compte, Identite, JetonServi, Oubli
from horizon.models.audit import Action
from horizon.noyau.decision import Acteur
from horizon.noyau.oublis import Cible, additionner
from horizon.selectors.oublis import depuis_quand, en_attente, prendre_rang
from horizon.services import vacuum
from horizon.services.audit import tracer
from horizon.services.erreurs import Refus
from horizon.services.identites import Cle, creer_manquants, defaire, verrouiller
from horizon.services.reprise import rejouer as reprendre

journal = structlog.get_logger(__name__)
_SEL = "horizon.oubli"
VALIDITE = timedelta(minutes=10)
DISPERSION = timedelta(hours=1)
"""Délai au plus avant que les bots apprennent l'oubli d'un autre compte de la même Personne : dit au même instant, il
révélerait la liaison."""


@dataclass(frozen=True, slots=True)
class Annonce:
    """Ce qu'un oubli effacerait, et le jeton qui le confirme."""

    jeton: str
    consequences: dict[str, int]
    expire_le: datetime


def demander(
    personne: Cle, *, par: Acteur, maintenant: datetime, categorie: str = "", message: Cle | None = None
) -> Annonce:
    """Annonce un oubli : d'une catégorie, d'un message (plateforme, id), sinon de tout. Rien n'est encore effacé.

    Personne inconnue : même réponse, à zéro. Catégorie inconnue : `Refus`, car son nom serait gardé.
    """
    if categorie and not any(categorie in p.categories for p in participants.tous()):
        raise Refus("categorie_inconnue", "Cette catégorie n’existe pas.")
    jeton = signing.dumps([*personne, categorie, *(message or ("", "")), secrets.token_hex(8)], salt=_SEL)
    cible = _cible(personne, categorie, message, maintenant)
    tracer(
        Action.OUBLI_DEMANDE,
        par=par,
        objet="identite",
        objet_id=cible.identite or "inconnue",
        maintenant=maintenant,
        motif=_motif(cible),
    )
    consequences = additionner(*(p.consequences(cible) for p in participants.tous()) if cible.identite else ())
    return Annonce(jeton, consequences, maintenant + VALIDITE)


def confirmer(jeton: str, *, plateformes: Sequence[str], par: Acteur, maintenant: datetime) -> str:
    """Oublie ; rend l'identifiant de la trace. `Refus` 410 : jeton faux, trop vieux ou déjà servi."""
    try:
        plateforme, externe, categorie, *message, _ = signing.loads(jeton, salt=_SEL, max_age=VALIDITE)
    except (signing.BadSignature, ValueError):
        raise Refus("jeton", "Ce jeton n’est pas valable : redemander l’oubli.", 410) from None
    if plateforme not in plateformes:
        raise Refus("plateforme_interdite", "Ce bot n’agit pas sur cette plateforme.", 403)
    vise = (message[0], message[1]) if message[0] else None
    with transaction.atomic():
        empreinte = _servir(jeton, maintenant)
        neufs = _reserver((plateforme, externe), maintenant)
        cible = _verrouillee((plateforme, externe), categorie, vise, maintenant)
        # Lue sous les verrous : tout ce qui est déjà écrit la précède. Le même jeton nomme toujours le même acte, pour
        # qu'une confirmation reprise après une coupure ne laisse pas deux oublis au registre.
        prendre_rang()
        le = max(maintenant, now())
        cible = replace(cible, acte=uuid.UUID(hex=empreinte[:32]), le=le)
        if Oubli.objects.filter(acte=cible.acte).exists():
            raise Refus("jeton", "Cet oubli, interrompu, a déjà été rejoué.", 410)
        _appliquer(cible, [cible.identite], le, premier=(plateforme, externe))
        defaire(neufs)
        trace = tracer(
            Action.OUBLI,
            par=par,
            objet="identite",
            objet_id="inconnue" if neufs else cible.identite or "inconnue",
            maintenant=maintenant,
            motif=_motif(cible),
        )
        # En dernier : après lui, il ne reste que la validation. Entre les deux, la santé demande le rejeu.
        _inscrire(replace(cible, identite=None) if neufs else cible)
    return str(trace.pk)


def _reserver(personne: Cle, maintenant: datetime) -> set[Cle]:
    """Un compte jamais vu est créé le temps de l'oubli : son premier message, s'il arrive au même instant, l'attend, et
    celui qu'il recréera ensuite saura ce qui fut oublié."""
    if Compte.objects.filter(plateforme=personne[0], externe_id=personne[1]).exists():
        return set()
    return creer_manquants([personne], maintenant=maintenant)


def _inscrire(cible: Cible) -> None:
    try:
        registre.inscrire(cible)
    except OSError as erreur:
        journal.error("registre_indisponible", erreur=type(erreur).__name__)
        raise Refus("registre", "L’oubli ne peut pas être inscrit : rien n’est effacé, réessayer.", 503) from None


def _servir(jeton: str, maintenant: datetime) -> str:
    empreinte = hashlib.sha256(jeton.encode()).hexdigest()
    _, neuf = JetonServi.objects.get_or_create(empreinte=empreinte, defaults={"expire_a": maintenant + 2 * VALIDITE})
    if not neuf:
        raise Refus("jeton", "Ce jeton a déjà servi.", 410)
    return empreinte


def _cible(personne: Cle, categorie: str, message: Cle | None, maintenant: datetime) -> Cible:
    """Ce que vise la demande, sur l'état présent : tous les comptes de l'Identité, sauf pour un message."""
    compte = Compte.objects.filter(plateforme=personne[0], externe_id=personne[1]).first()
    identite = compte.identite_id if compte else None
    comptes: list[Cle] = [personne]
    if identite is not None and message is None:
        comptes = sorted(Compte.objects.filter(identite_id=identite).values_list("plateforme", "externe_id"))
    plateforme, message_id = message or ("", "")
    return Cible(
        acte=uuid.uuid4(),
        le=maintenant,
        nature="message" if message else "categorie" if categorie else "personne",
        comptes=tuple(comptes),
        identite=identite,
        categorie=categorie,
        plateforme=plateforme,
        message_id=message_id,
    )


def _verrouillee(personne: Cle, categorie: str, message: Cle | None, maintenant: datetime) -> Cible:
    """La cible, ses comptes et son Identité verrouillés ; relue si une liaison est passée pendant l'attente."""
    while True:
        cible = _cible(personne, categorie, message, maintenant)
        verrouiller(cible.comptes)
        if replace(_cible(personne, categorie, message, maintenant), acte=cible.acte) == cible:
            return cible


def _appliquer(
    cible: Cible, identites: Iterable[uuid.UUID | None], maintenant: datetime, premier: Cle | None = None
) -> None:
    """Efface, sous verrous, et note l'oubli pour les bots. L'époque refuse ce qui était déjà en route.

    `identites` : celles des comptes visés. Une base restaurée peut en avoir plusieurs, leur liaison perdue.
    """
    for identite in identites:
        for participant in participants.tous():
            participant.oublier(replace(cible, identite=identite), maintenant)
        if identite is not None:
            Identite.objects.filter(pk=identite).update(epoque=F("epoque") + 1)
    if cible.nature == "personne":
        executer(
            """UPDATE horizon_compte c SET oublie_avant = %b FROM unnest(%b::text[], %b::text[]) AS v(p, e)
               WHERE c.plateforme = v.p AND c.externe_id = v.e AND (c.oublie_avant IS NULL OR c.oublie_avant < %b)""",
            cible.le,
            [plateforme for plateforme, _ in cible.comptes],
            [externe for _, externe in cible.comptes],
            cible.le,
        )
    Oubli.objects.bulk_create(
        Oubli(
            acte=cible.acte,
            plateforme=plateforme,
            externe_id=externe,
            nature=cible.nature,
            categorie=cible.categorie,
            message_id=cible.message_id,
            le=cible.le,
            dit_le=maintenant if (plateforme, externe) == premier else maintenant + _dispersion(),
        )
        for plateforme, externe in cible.comptes
    )


def _dispersion() -> timedelta:
    return timedelta(seconds=random.SystemRandom().uniform(1, DISPERSION.total_seconds()))


def _motif(cible: Cible) -> str:
    return f"{cible.nature} {cible.categorie}".strip()


def rejouer(*, par: Acteur, maintenant: datetime) -> int:
    """Rejoue chaque oubli en attente, le plus ancien d'abord, chacun dans sa transaction ; rend leur nombre."""
    rejoues = 0
    for cible in en_attente(maintenant):
        rejoues += reprendre(partial(_rejouer, cible, par, maintenant))
    if rejoues:
        vacuum.passer()
    return rejoues


def _rejouer(cible: Cible, par: Acteur, maintenant: datetime) -> bool:
    """Faux si, les verrous attendus, l'oubli n'est plus à rejouer : sa confirmation était en cours."""
    with transaction.atomic():
        comptes = verrouiller(cible.comptes)
        if Oubli.objects.filter(acte=cible.acte).exists():
            return False
        prendre_rang()
        presentes = sorted({c.identite_id for c in comptes.values() if c.identite_id})
        _appliquer(cible, presentes or [None], maintenant)
        for objet in [str(p) for p in presentes] or ["inconnue"]:
            tracer(
                Action.OUBLI_REJOUE,
                par=par,
                objet="identite",
                objet_id=objet,
                maintenant=maintenant,
                motif=_motif(cible),
            )
    return True


def menage(maintenant: datetime) -> None:
    """Retire ce qu'aucune sauvegarde ne peut plus ramener, et les jetons servis échus."""
    limite = depuis_quand(maintenant)
    # La base garde un jour de plus que le registre : une lecture à cheval sur le ménage n'y voit rien à rejouer.
    Oubli.objects.filter(le__lt=limite - timedelta(days=1)).delete()
    JetonServi.objects.filter(expire_a__lte=maintenant).delete()
    registre.elaguer(limite)
