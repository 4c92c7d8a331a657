"""`POST hypotheses/` : supposer, pour le ton seulement, le temps que vivent les messages qui le font croire (CT-10)."""

from django.utils.timezone import now
from rest_framework.request import Request
from rest_framework.response import Response

from horizon.api.lecture import lire
from horizon.api.operation import exiger_plateforme, operation
from horizon.api.schema import decrire
from memoire.api.souvenirs import cles, refus
from memoire.noyau.formes import DemandeHypothese
from memoire.noyau.souvenirs import Effet
from memoire.services.hypotheses import supposer


@decrire(
    "hypotheses",
    "Supposer un état de l’instant.",
    corps="DemandeHypothese",
    reponses={201: "HypotheseRendue", 422: "SouvenirRefuse"},
)
@operation("POST", portee="souvenirs", rejouable=True)
def hypotheses(request: Request) -> Response:
    """Un diagnostic, ou ce qui y ressemble, est refusé."""
    demande = lire(DemandeHypothese, request.data)
    exiger_plateforme(request, demande.personne.plateforme)
    issue, terme = supposer(
        (demande.personne.plateforme, demande.personne.id),
        demande.texte.strip(),
        (demande.espace.id, demande.espace.visibilite),
        cles(request, demande.sources, demande.personne.plateforme),
        maintenant=now(),
    )
    return refus(issue) if issue.effet is Effet.REFUSE else Response({"statut": "accepte", "expire_le": terme}, 201)
