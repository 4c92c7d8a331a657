"""Accords : un jeton à usage unique, ou la décision d'un SA. Le Noyau rejoue ses contrôles (SE-03, SE-10, SE-12)."""

from datetime import datetime

from django.db import transaction

from horizon.models.audit import Action
from horizon.noyau.decision import Acteur
from horizon.services.audit import tracer
from horizon.services.erreurs import Refus
from horizon.services.identites import Cle
from memoire.models import Proposition, Source
from memoire.noyau.categories import Origine
from memoire.noyau.souvenirs import Effet
from memoire.services import personnes
from memoire.services.corrections import liberer
from memoire.services.decisions import compter
from memoire.services.souvenirs import Ecriture, Rendu, appliquer, empreinte, instruire


def echue() -> Refus:
    """Le refus d'un jeton qui ne vaut plus rien, quelle qu'en soit la cause."""
    return Refus("jeton", "Ce jeton n’est pas valable, a expiré ou a déjà servi.", 410)


def repondre(personne: Cle, jeton: str, accepte: bool, *, par: Acteur, maintenant: datetime) -> Rendu | None:
    """Réponse de la Personne ; None si elle refuse. `Refus` 410 : jeton faux, échu, déjà servi, ou d'une autre."""
    with transaction.atomic():
        connue = personnes.verrouillee(personne)
        proposition = (
            Proposition.objects.select_for_update().filter(jeton=empreinte(jeton), valide_par="personne").first()
        )
        if proposition is None or connue is None or proposition.identite_id != connue.pk:
            raise echue()
        return _trancher(proposition, personne, connue.identite.epoque, accepte, par, maintenant)


def trancher(proposition_id: int, accepte: bool, *, par: Acteur, maintenant: datetime) -> Rendu | None:
    """Décision d'un SA sur une vigilance qui le demande. `Refus` 410 : déjà tranchée, échue ou caduque (SE-12)."""
    with transaction.atomic():
        vue = Proposition.objects.filter(pk=proposition_id, valide_par="sa").first()
        compte = vue.identite.comptes.order_by("pk").filter(plateforme=vue.plateforme).first() if vue else None
        cle = (compte.plateforme, compte.externe_id) if compte else ("", "")
        connue = personnes.verrouillee(cle)
        proposition = Proposition.objects.select_for_update().filter(pk=proposition_id, valide_par="sa").first()
        if proposition is None or connue is None:
            raise echue()
        tracer(
            Action.VIGILANCE_TRANCHEE,
            par=par,
            objet="identite",
            objet_id=connue.pk,
            maintenant=maintenant,
            motif=f"{proposition.categorie} {'admise' if accepte else 'refusee'}",
        )
        return _trancher(proposition, cle, connue.identite.epoque, accepte, par, maintenant)


def _trancher(
    proposition: Proposition, cle: Cle, epoque: int, accepte: bool, par: Acteur, maintenant: datetime
) -> Rendu | None:
    if proposition.expire_a <= maintenant or proposition.epoque != epoque:
        raise echue()
    ecriture = _ecriture(proposition, cle)
    visibilite = proposition.visibilite
    proposition.delete()
    if not accepte:
        return None
    dossier = instruire(ecriture, maintenant, validee=True)
    dossier.visibilite = visibilite
    compter(dossier.issue, origine=ecriture.origine.value, categorie=ecriture.categorie, maintenant=maintenant)
    if dossier.issue.effet is Effet.ENREGISTRE and ecriture.corrige not in ("", ecriture.categorie):
        liberer(dossier)
    return appliquer(dossier, par, maintenant)


def _ecriture(proposition: Proposition, cle: Cle) -> Ecriture:
    sources = Source.objects.filter(proposition=proposition).values_list("plateforme", "message_id")
    return Ecriture(
        personne=cle,
        origine=Origine(proposition.origine),
        categorie=proposition.categorie,
        contenu=proposition.contenu,
        fiabilite=proposition.fiabilite,
        sources=list(sources),
        corrige=proposition.corrige,
    )
