"""`POST pauses/` et `POST pauses/fin/` : la Personne suspend ou reprend sa mémorisation (ID-09)."""

from django.utils.timezone import now
from rest_framework.request import Request
from rest_framework.response import Response

from horizon.api.lecture import lire
from horizon.api.operation import acteur, exiger_plateforme, operation
from horizon.api.schema import decrire
from horizon.noyau.formes import DemandePause
from horizon.services import pauses as service


def _lire(request: Request) -> DemandePause:
    demande = lire(DemandePause, request.data)
    exiger_plateforme(request, demande.personne.plateforme, *([demande.espace.plateforme] if demande.espace else []))
    return demande


@decrire("pauses", "Suspendre la mémorisation d’une Personne.", corps="DemandePause", reponses={201: "Accuse"})
@operation("POST", portee="droits", rejouable=True)
def pauses(request: Request) -> Response:
    """Suspend partout, ou dans l'espace nommé. Répétée, sans effet."""
    demande = _lire(request)
    service.suspendre(
        plateforme=demande.personne.plateforme,
        externe_id=demande.personne.id,
        espace=(demande.espace.plateforme, demande.espace.id) if demande.espace else None,
        par=acteur(request),
        maintenant=now(),
    )
    return Response({"statut": "suspendue"}, 201)


@decrire("pauses_fin", "Reprendre la mémorisation d’une Personne.", corps="DemandePause", reponses={204: None})
@operation("POST", portee="droits", rejouable=True)
def pauses_fin(request: Request) -> Response:
    """Lève la pause visée. Sans pause, ou Personne inconnue : même réponse."""
    demande = _lire(request)
    service.reprendre(
        plateforme=demande.personne.plateforme,
        externe_id=demande.personne.id,
        espace=(demande.espace.plateforme, demande.espace.id) if demande.espace else None,
        par=acteur(request),
        maintenant=now(),
    )
    return Response(status=204)
