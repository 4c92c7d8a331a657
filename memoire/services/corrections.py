"""Corriger un souvenir : mêmes contrôles, catégorie réévaluable, ancien contenu écrasé (DR-05)."""

from datetime import datetime

from django.db import transaction

from horizon.models.audit import Action
from horizon.noyau.decision import Acteur
from horizon.services.audit import tracer
from horizon.services.erreurs import Conflit
from horizon.services.identites import Cle
from memoire.models import Souvenir
from memoire.noyau.categories import Origine
from memoire.noyau.souvenirs import Effet, Issue
from memoire.services import personnes
from memoire.services.decisions import compter
from memoire.services.souvenirs import Dossier, Ecriture, Rendu, appliquer, instruire


def corriger(
    personne: Cle,
    categorie: str,
    contenu: str,
    nouvelle: str,
    *,
    par: Acteur,
    maintenant: datetime,
    espace: tuple[str, str] | None = None,
) -> Rendu:
    """Remplace le souvenir de `categorie`, au besoin dans `nouvelle`. `Conflit` 409 : celle-ci est occupée. `espace` :
    où elle fut dite ; la portée du souvenir ne peut que se restreindre.

    Refusée, ou en attente d'un accord, elle gèle l'ancien : la Personne a dit qu'il est faux (DR-12).
    """
    with transaction.atomic():
        connue = personnes.verrouillee(personne)
        ancien = personnes.souvenir_de(connue, categorie)
        if ancien is None:
            return Rendu(Issue(Effet.REFUSE, _sans_souvenir(connue)))
        cible = nouvelle or categorie
        if cible != categorie and personnes.souvenir_de(connue, cible) is not None:
            raise occupee()
        ecriture = Ecriture(personne, Origine.DEMANDE, cible, contenu, espace=espace, corrige=categorie)
        dossier = instruire(ecriture, maintenant)
        if espace is None or ancien.visibilite == "prive":
            dossier.visibilite = ancien.visibilite
        compter(dossier.issue, origine="correction", categorie=categorie, maintenant=maintenant)
        if dossier.issue.effet is not Effet.ENREGISTRE:
            _geler(ancien, par, maintenant)
        elif cible != categorie:
            liberer(dossier)
        return appliquer(dossier, par, maintenant)


def occupee() -> Conflit:
    """La catégorie où la correction déplacerait le souvenir en a déjà un."""
    return Conflit("categorie_occupee", "Un souvenir occupe déjà cette catégorie : l’oublier ou le corriger.")


def liberer(dossier: Dossier) -> None:
    """Efface le souvenir que la correction déplace dans une autre catégorie."""
    assert dossier.personne is not None
    Souvenir.objects.filter(identite=dossier.personne.pk, categorie=dossier.ecriture.corrige).delete()


def _sans_souvenir(connue: personnes.Connue | None) -> str:
    revendiquee = connue is not None and connue.identite.revendiquee_le is not None
    return "aucun_souvenir" if revendiquee else "non_revendiquee"


def _geler(souvenir: Souvenir, par: Acteur, maintenant: datetime) -> None:
    if souvenir.gele_le is None:
        souvenir.gele_le = maintenant
        souvenir.save(update_fields=["gele_le"])
        tracer(
            Action.SOUVENIR_GELE,
            par=par,
            objet="identite",
            objet_id=souvenir.identite_id,
            maintenant=maintenant,
            motif=souvenir.categorie,
        )
