"""`POST evenements/` et `POST avis/remise/` : ce que les bots font entrer."""

from django.utils.timezone import now
from rest_framework.request import Request
from rest_framework.response import Response

from horizon import participants
from horizon.api.lecture import lire, lire_evenements
from horizon.api.operation import acteur, bot, operation
from horizon.api.schema import decrire
from horizon.noyau.evenements import Resultat
from horizon.noyau.formes import Remise
from horizon.services.evenements import recevoir


@decrire("evenements", "Faire entrer un lot d’événements.", corps="Lot", reponses={200: "Resultats"})
@operation("POST", portee="evenements")
def evenements(request: Request) -> Response:
    """Un résultat par événement, dans le même ordre ; un élément invalide n'empêche pas les autres."""
    appelant = bot(request)
    lus = lire_evenements(request.data)
    traites = iter(
        recevoir(
            [e for e in lus if not isinstance(e, Resultat)],
            bot_id=appelant.pk,
            plateformes=appelant.plateformes,
            maintenant=now(),
        )
    )
    return Response({"resultats": [e if isinstance(e, Resultat) else next(traites) for e in lus]})


@decrire("avis_remise", "Attester la remise d’un avis.", corps="Remise", reponses={200: "Accuse", 410: "Erreur"})
@operation("POST", portee="evenements", rejouable=True)
def avis_remise(request: Request) -> Response:
    """Atteste qu'une Personne a reçu l'avis : ses prochains messages privés pourront être gardés."""
    participants.attester_avis(
        lire(Remise, request.data).jeton,
        plateformes=bot(request).plateformes,
        par=acteur(request),
        maintenant=now(),
    )
    return Response({"statut": "remis"})
