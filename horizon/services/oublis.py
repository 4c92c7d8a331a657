"""Oublier : annoncer les conséquences, confirmer par un jeton, effacer partout, l'inscrire hors de la base (DR-02)."""

import hashlib
import random
import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.core import signing
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.timezone import now
from msgspec.structs import replace

from horizon import participants, registre
from horizon.models import Compte, Identite, JetonServi, Oubli
from horizon.models.audit import Action
from horizon.noyau.decision import Acteur
from horizon.noyau.motifs import COMPTES_FICTIFS
from horizon.noyau.oublis import Cible, additionner
from horizon.selectors.oublis import depuis_quand, en_attente, entrer, figer
from horizon.services.audit import tracer
from horizon.services.erreurs import Refus
from horizon.services.identites import Cle, creer_manquants, verrouiller

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

    Personne inconnue : même réponse, à zéro. `Refus` 422 : cette catégorie n'existe pas, et son nom, écrit par
    l'appelant, resterait dans l'audit.
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
    """Oublie ; rend l'identifiant de la trace. `Refus` 410 : jeton faux, trop vieux ou déjà servi.

    L'oubli date de l'instant où il tient ses verrous : ce qui fut écrit pendant qu'il les attendait part aussi. Le
    registre vient en dernier : un oubli que la base a refusé n'y est pas.
    """
    try:
        plateforme, externe, categorie, *message, _ = signing.loads(jeton, salt=_SEL, max_age=VALIDITE)
    except (signing.BadSignature, ValueError):
        raise Refus("jeton", "Ce jeton n’est pas valable : redemander l’oubli.", 410) from None
    if plateforme not in plateformes:
        raise Refus("plateforme_interdite", "Ce bot n’agit pas sur cette plateforme.", 403)
    with transaction.atomic():
        _servir(jeton, maintenant)
        vise = (message[0], message[1]) if message[0] else None
        cible = _verrouillee((plateforme, externe), categorie, vise, maintenant)
        _appliquer(cible, maintenant, premier=(plateforme, externe))
        trace = tracer(
            Action.OUBLI,
            par=par,
            objet="identite",
            objet_id=cible.identite or "inconnue",
            maintenant=maintenant,
            motif=_motif(cible),
        )
        _inscrire(cible)
    return str(trace.pk)


def _inscrire(cible: Cible) -> None:
    try:
        registre.inscrire(cible)
    except OSError as erreur:
        journal.error("registre_indisponible", erreur=type(erreur).__name__)
        raise Refus("registre", "L’oubli ne peut pas être inscrit : rien n’est effacé, réessayer.", 503) from None


def _servir(jeton: str, maintenant: datetime) -> None:
    empreinte = hashlib.sha256(jeton.encode()).hexdigest()
    _, neuf = JetonServi.objects.get_or_create(empreinte=empreinte, defaults={"expire_a": maintenant + 2 * VALIDITE})
    if not neuf:
        raise Refus("jeton", "Ce jeton a déjà servi.", 410)


def _cible(personne: Cle, categorie: str, message: Cle | None, maintenant: datetime) -> Cible:
    """Ce que vise la demande, sur l'état présent : tous les comptes de l'Identité, sauf pour un message."""
    compte = _compte(personne).first()
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
    """La cible, ses comptes et son Identité verrouillés ; relue si une liaison est passée pendant l'attente.

    Un compte encore inconnu est créé : ses messages déjà en route n'entreront pas après l'oubli de tout.
    """
    if not (categorie or message):
        _creer_inconnus([personne], maintenant)
    while True:
        cible = _cible(personne, categorie, message, maintenant)
        verrouiller(cible.comptes)
        if replace(_cible(personne, categorie, message, maintenant), acte=cible.acte) == cible:
            return replace(cible, le=max(maintenant, now()))


def _creer_inconnus(cles: Sequence[Cle], maintenant: datetime) -> None:
    """Crée les comptes encore inconnus, sans toucher aux autres : leur verrou se prend avec tous, dans l'ordre."""
    creer_manquants(
        [c for c in cles if c not in COMPTES_FICTIFS and not _compte(c).exists()],
        maintenant=maintenant,
    )


def _compte(cle: Cle) -> QuerySet[Compte]:
    return Compte.objects.filter(plateforme=cle[0], externe_id=cle[1])


def _appliquer(cible: Cible, maintenant: datetime, premier: Cle | None = None) -> None:
    """Efface, sous verrous, et note l'oubli pour les bots."""
    _effacer(cible, maintenant)
    if cible.nature == "personne":
        for plateforme, externe in cible.comptes:
            _compte((plateforme, externe)).exclude(oublie_avant__gt=cible.le).update(oublie_avant=cible.le)
    entrer()
    dit_le = max(maintenant, now())
    Oubli.objects.bulk_create(
        Oubli(
            acte=cible.acte,
            plateforme=plateforme,
            externe_id=externe,
            nature=cible.nature,
            categorie=cible.categorie,
            message_id=cible.message_id,
            le=cible.le,
            dit_le=dit_le if (plateforme, externe) == premier else dit_le + _dispersion(),
        )
        for plateforme, externe in cible.comptes
    )


def _effacer(cible: Cible, maintenant: datetime) -> None:
    """Chaque participant efface sa part ; l'époque refuse ce qui était déjà en route."""
    for participant in participants.tous():
        participant.oublier(cible, maintenant)
    if cible.identite is not None:
        Identite.objects.filter(pk=cible.identite).update(epoque=F("epoque") + 1)


def _dispersion() -> timedelta:
    return timedelta(seconds=random.SystemRandom().uniform(1, DISPERSION.total_seconds()))


def _motif(cible: Cible) -> str:
    return f"{cible.nature} {cible.categorie}".strip()


def rejouer(*, par: Acteur, maintenant: datetime) -> int:
    """Rejoue chaque oubli en attente, le plus ancien d'abord, chacun dans sa transaction ; rend leur nombre."""
    attendus = en_attente(maintenant)
    for cible in attendus:
        with transaction.atomic():
            presentes = _presentes(cible, maintenant)
            figer()
            if Oubli.objects.filter(acte=cible.acte).exists():
                continue
            for autre in presentes[1:]:
                _effacer(replace(cible, identite=autre), maintenant)
            presente = presentes[0] if presentes else None
            _appliquer(replace(cible, identite=presente), maintenant)
            tracer(
                Action.OUBLI_REJOUE,
                par=par,
                objet="identite",
                objet_id=presente or "inconnue",
                maintenant=maintenant,
                motif=_motif(cible),
            )
    return len(attendus)


def _presentes(cible: Cible, maintenant: datetime) -> list[uuid.UUID]:
    """Les Identités, verrouillées, à qui la restauration a rendu ces comptes : plusieurs si leur liaison lui est
    postérieure, et chacune oublie. Un compte encore inconnu est créé, pour l'oubli de tout."""
    if cible.nature == "personne":
        _creer_inconnus(cible.comptes, maintenant)
    comptes = verrouiller(cible.comptes)
    return sorted({c.identite_id for c in comptes.values() if c.identite_id})


def menage(maintenant: datetime) -> None:
    """Retire ce qu'aucune sauvegarde ne peut plus ramener, et les jetons servis échus."""
    limite = depuis_quand(maintenant)
    Oubli.objects.filter(le__lt=limite).delete()
    JetonServi.objects.filter(expire_a__lte=maintenant).delete()
    registre.elaguer(limite)
