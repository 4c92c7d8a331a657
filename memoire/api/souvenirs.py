"""`POST souvenirs/`, `souvenirs/observations/`, `validations/`, `corrections/` : ce que le Noyau décide, rendu."""

from typing import Any

from django.utils.timezone import now
from rest_framework.request import Request
from rest_framework.response import Response

from horizon.api.lecture import lire
from horizon.api.operation import acteur, exiger_plateforme, operation
from horizon.api.schema import decrire
from horizon.llm.regles import categoriser
from memoire.noyau.categories import CATEGORIES, Origine
from memoire.noyau.formes import (
    DemandeCorrection,
    DemandeObservation,
    DemandeSouvenir,
    DemandeValidation,
    Sources,
)
from memoire.noyau.souvenirs import Effet, Issue
from memoire.services import corrections, observations, validations
from memoire.services import souvenirs as service
from memoire.services.souvenirs import Ecriture, Rendu

STATUTS = {Effet.ENREGISTRE: 201, Effet.VALIDATION: 202, Effet.REFUSE: 422}
INDICES = {c.code: c.indices for c in CATEGORIES.values()}
PAR_DEFAUT = "autre"
REPONSES: dict[int, str | None] = {
    200: "SouvenirRendu",
    201: "SouvenirRendu",
    202: "ValidationRequise",
    422: "SouvenirRefuse",
}


@decrire("souvenirs", "Soumettre un souvenir au Noyau.", corps="DemandeSouvenir", reponses=REPONSES)
@operation("POST", portee="souvenirs", rejouable=True)
def souvenirs(request: Request) -> Response:
    """Demande, proposition ou règle : toutes passent par le même Noyau. Sans catégorie, une demande en reçoit une."""
    demande = lire(DemandeSouvenir, request.data)
    exiger_plateforme(request, demande.personne.plateforme)
    categorie = demande.categorie or (
        categoriser(demande.contenu, INDICES, PAR_DEFAUT) if demande.origine == "demande" else ""
    )
    ecriture = Ecriture(
        personne=(demande.personne.plateforme, demande.personne.id),
        origine=Origine(demande.origine),
        categorie=categorie,
        contenu=demande.contenu.strip(),
        fiabilite=demande.fiabilite,
        sources=cles(request, demande.sources, demande.personne.plateforme),
        espace=(demande.espace.id, demande.espace.visibilite) if demande.espace else None,
    )
    return rendre(service.enregistrer(ecriture, par=acteur(request), maintenant=now()), categorie)


@decrire(
    "observations",
    "Signaler une concordance ou une contradiction.",
    corps="DemandeObservation",
    reponses={200: "SouvenirRendu", 422: "SouvenirRefuse"},
)
@operation("POST", portee="souvenirs", rejouable=True)
def souvenirs_observations(request: Request) -> Response:
    """La même référence ne compte qu'une fois. Une contradiction assez répétée remplace, si elle dit par quoi."""
    demande = lire(DemandeObservation, request.data)
    exiger_plateforme(request, demande.personne.plateforme)
    ecriture = Ecriture(
        personne=(demande.personne.plateforme, demande.personne.id),
        origine=Origine.REGLE,
        categorie=demande.categorie,
        contenu=(demande.contenu or "").strip(),
        fiabilite=demande.fiabilite,
        espace=(demande.espace.id, demande.espace.visibilite) if demande.espace else None,
    )
    rendu = observations.noter(ecriture, demande.sens, demande.reference, par=acteur(request), maintenant=now())
    return rendre(rendu, demande.categorie)


@decrire(
    "validations",
    "Répondre à un avertissement.",
    corps="DemandeValidation",
    reponses={201: "SouvenirRendu", 204: None, 410: "Erreur", 422: "SouvenirRefuse"},
)
@operation("POST", portee="souvenirs", rejouable=True)
def accords(request: Request) -> Response:
    """Accord ou refus de la Personne ; le Noyau rejoue ses contrôles sur l'état présent."""
    demande = lire(DemandeValidation, request.data)
    exiger_plateforme(request, demande.personne.plateforme)
    rendu = validations.repondre(
        (demande.personne.plateforme, demande.personne.id),
        demande.jeton,
        demande.accepte,
        par=acteur(request),
        maintenant=now(),
    )
    return Response(status=204) if rendu is None else rendre(rendu, rendu.categorie)


@decrire("corrections", "Corriger un souvenir.", corps="DemandeCorrection", reponses={**REPONSES, 409: "Erreur"})
@operation("POST", portee="droits", rejouable=True)
def demandes_de_correction(request: Request) -> Response:
    """Mêmes contrôles qu'une demande. Refusée, elle gèle l'ancien souvenir jusqu'à décision."""
    demande = lire(DemandeCorrection, request.data)
    exiger_plateforme(request, demande.personne.plateforme)
    rendu = corrections.corriger(
        (demande.personne.plateforme, demande.personne.id),
        demande.categorie,
        demande.contenu.strip(),
        demande.nouvelle_categorie or "",
        espace=(demande.espace.id, demande.espace.visibilite) if demande.espace else None,
        par=acteur(request),
        maintenant=now(),
    )
    return rendre(rendu, demande.nouvelle_categorie or demande.categorie)


def cles(request: Request, sources: Sources, plateforme: str) -> list[tuple[str, str]]:
    """(plateforme, identifiant) de chaque message invoqué, sans répétition, dans l'ordre. `Refus` 403 si le bot n'agit
    pas sur l'une d'elles : la réponse lui dirait si deux comptes sont liés."""
    lues = [(plateforme, s) if isinstance(s, str) else (s.plateforme, s.id) for s in sources]
    exiger_plateforme(request, *(p for p, _ in lues))
    return list(dict.fromkeys(lues))


def rendre(rendu: Rendu, categorie: str) -> Response:
    """La réponse HTTP d'une décision du Noyau."""
    issue = rendu.issue
    if issue.effet is Effet.REFUSE:
        return refus(issue, rendu)
    if issue.effet is Effet.VALIDATION:
        return Response(
            {
                "statut": issue.effet.value,
                "avertissement": rendu.avertissement,
                "jeton": rendu.jeton or None,
                "expire_le": rendu.expire_le,
                "validation": issue.valide_par,
                **_garde(rendu),
            },
            202,
        )
    corps = {"statut": issue.effet.value, "categorie": categorie, "remplace": rendu.remplace}
    return Response(corps, STATUTS.get(issue.effet, 200))


def refus(issue: Issue, rendu: Rendu | None = None) -> Response:
    """Un refus du Noyau : motif stable, phrase en français, catégorie et règle du garde ; jamais le texte (SE-02)."""
    corps: dict[str, Any] = {
        "code": "refuse",
        "message": issue.phrase,
        "champs": [],
        "statut": "refuse",
        "motif": issue.motif,
    }
    sensible = issue.motif in ("sensible", "diagnostic")
    return Response({**corps, **(_garde(rendu) if sensible and rendu else _garde(None))}, 422)


def _garde(rendu: Rendu | None) -> dict[str, str | None]:
    avis = rendu.avis if rendu else None
    return {
        "categorie_sensible": (avis.categorie or None) if avis else None,
        "regle": (avis.regle or None) if avis else None,
    }
