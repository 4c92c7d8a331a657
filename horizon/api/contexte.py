"""`POST contexte/` : ce qu'un bot reçoit pour parler à une Personne."""

from django.utils.timezone import now
from rest_framework.request import Request
from rest_framework.response import Response

from horizon.api.lecture import lire
from horizon.api.operation import exiger_plateforme, operation
from horizon.api.schema import decrire
from horizon.noyau.formes import DemandeContexte
from horizon.participants import Demande
from horizon.services.contexte import construire


@decrire(
    "contexte", "Recevoir le contexte d’une interaction.", corps="DemandeContexte", reponses={200: "ContexteRendu"}
)
@operation("POST", portee="contexte")
def contexte(request: Request) -> Response:
    """La projection calculée pour cette destination. Interlocuteur inconnu : 200, et rien n'est créé."""
    demande = lire(DemandeContexte, request.data)
    destination = demande.destination
    exiger_plateforme(request, destination.plateforme)
    return Response(
        construire(
            Demande(
                plateforme=destination.plateforme,
                espace_externe=destination.espace.id,
                visibilite=destination.espace.visibilite,
                interlocuteur_externe=demande.interlocuteur.id,
                budget=demande.budget_tokens,
                maintenant=now(),
            ),
            demande.prestataire,
        )
    )
