"""`GET sante/` : l'état pour tous, le détail avec une clé."""

from typing import Any

from django.utils.timezone import now
from rest_framework.request import Request
from rest_framework.response import Response

from horizon.api.operation import operation
from horizon.api.schema import decrire
from horizon.models import Bot
from horizon.selectors.sante import etat


@decrire("sante", "L’état du Poste.", reponses={200: "Sante", 503: "Sante"})
@operation("GET", portee="")
def sante(request: Request) -> Response:
    """503 : base absente, contenu expiré depuis plus de 60 s, oublis non rejoués ; sinon 200, `degrade` compris."""
    mesure = etat(now())
    reponse: dict[str, Any] = {"etat": mesure.niveau}
    if isinstance(request.auth, Bot):
        reponse["retard_expiration_s"] = None if mesure.retard is None else int(mesure.retard.total_seconds())
        reponse["points"] = {p.nom: {"niveau": p.niveau, "phrase": p.phrase, "depuis": p.depuis} for p in mesure.points}
    return Response(reponse, 503 if mesure.niveau == "panne" else 200)
