"""`oublis/` et `oublis/confirmation/` : annoncer, confirmer, dire aux bots ce qu'ils doivent purger (DR-02, DR-11)."""

from django.utils.timezone import now
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from horizon.api.erreurs import CorpsFautif
from horizon.api.lecture import lire
from horizon.api.operation import acteur, bot, exiger_plateforme, operation
from horizon.api.schema import decrire
from horizon.noyau.evenements import Champ
from horizon.noyau.formes import ConfirmationOubli, DemandeOubli
from horizon.selectors.oublis import apres, lire_curseur
from horizon.services import oublis as service


@decrire(
    "oublis_liste",
    "Lister les oublis prononcés.",
    methodes=("GET",),
    reponses={200: "Oublis", 400: "Erreur"},
    parametres=(OpenApiParameter("depuis", str, OpenApiParameter.QUERY, required=False, description="Curseur."),),
)
@decrire(
    "oublis",
    "Annoncer un oubli et ses conséquences.",
    methodes=("POST",),
    corps="DemandeOubli",
    reponses={202: "AnnonceOubli"},
)
@operation("GET", "POST", portee="droits", rejouable=True)
def oublis(request: Request) -> Response:
    """POST : ce qu'un oubli effacerait, et son jeton. GET : les oublis des plateformes du bot, après un curseur."""
    return _lister(request) if request.method == "GET" else _annoncer(request)


def _lister(request: Request) -> Response:
    depuis = request.query_params.get("depuis", "")
    curseur = lire_curseur(depuis)
    if curseur is None:
        raise CorpsFautif("Ce curseur n’est pas lisible.", [Champ("depuis", "forme")])
    dits, suivant = apres(curseur, bot(request).plateformes, now())
    return Response({"oublis": dits, "suivant": suivant or depuis})


def _annoncer(request: Request) -> Response:
    demande = lire(DemandeOubli, request.data)
    exiger_plateforme(request, demande.personne.plateforme)
    cible = demande.cible
    if sum((cible.categorie is not None, cible.message is not None, cible.tout)) != 1:
        raise CorpsFautif("Un oubli vise une catégorie, un message, ou tout.", [Champ("cible", "forme")])
    if cible.message:
        exiger_plateforme(request, cible.message.plateforme)
    annonce = service.demander(
        (demande.personne.plateforme, demande.personne.id),
        categorie=cible.categorie or "",
        message=(cible.message.plateforme, cible.message.id) if cible.message else None,
        par=acteur(request),
        maintenant=now(),
    )
    return Response({"jeton": annonce.jeton, "consequences": annonce.consequences, "expire_le": annonce.expire_le}, 202)


@decrire(
    "oublis_confirmation",
    "Confirmer un oubli.",
    corps="ConfirmationOubli",
    reponses={200: "OubliFait", 410: "Erreur"},
)
@operation("POST", portee="droits", rejouable=True)
def confirmation(request: Request) -> Response:
    """Efface. Le jeton ne sert qu'une fois, dix minutes au plus."""
    trace = service.confirmer(
        lire(ConfirmationOubli, request.data).jeton,
        plateformes=bot(request).plateformes,
        par=acteur(request),
        maintenant=now(),
    )
    return Response({"trace": trace})
