"""`POST evenements/twitch/` et `POST evenements/discord/` : les charges telles que les plateformes les envoient."""

from datetime import datetime

from django.db import transaction
from django.http import HttpResponse
from django.utils.timezone import now
from rest_framework.request import Request
from rest_framework.response import Response

from horizon.api import eventsub
from horizon.api.authentification import CleDeBot
from horizon.api.erreurs import CorpsFautif
from horizon.api.eventsub import PorteeOuSignature, SignatureEventSub, Signee
from horizon.api.lecture import fautes, lire_etiquette, octets
from horizon.api.operation import acteur, bot, operation
from horizon.api.schema import ETIQUETTE, decrire
from horizon.noyau.decision import SYSTEME
from horizon.noyau.evenements import Champ, Resultat
from horizon.noyau.natif import Traduction, discord, twitch
from horizon.services import natif
from horizon.services.erreurs import Refus


@decrire(
    "evenements_twitch",
    "Faire entrer une notification EventSub.",
    corps="NotificationTwitch",
    reponses={200: "Resultats"},
    parametres=ETIQUETTE,
    texte="le défi d’un abonnement",
)
@operation("POST", portee="evenements", authentification=[CleDeBot, SignatureEventSub], permissions=[PorteeOuSignature])
def evenements_twitch(request: Request) -> Response | HttpResponse:
    """Relayée par un bot, ou envoyée par Twitch et signée. Un défi est rendu tel quel ; une révocation alerte."""
    _exiger_plateforme(request, "twitch")
    maintenant = now()
    with fautes():
        ident, instant = eventsub.livraison(request)
        notification = twitch.lire(octets(request.data), id=ident, instant=instant)
        traduction = twitch.traduire(notification, lire_etiquette(request.query_params))
    if notification.genre == "defi":
        # Rien à rejouer dans un défi : son âge n'importe pas.
        return HttpResponse(notification.defi, content_type="text/plain")
    if isinstance(request.auth, Signee):
        eventsub.refuser_si_perimee(notification.instant, maintenant)
    with transaction.atomic():
        return _rendre(_traiter(request, notification, traduction, maintenant))


def _traiter(
    request: Request, notification: twitch.Notification, traduction: Traduction, maintenant: datetime
) -> list[Resultat]:
    """Une redélivrance est sans effet. Un relais n'en est pas une : le bot renvoie la même charge, étiquetée cette
    fois, ou après un avis ; le message se reconnaît alors à son propre identifiant."""
    signee, revocation = isinstance(request.auth, Signee), notification.genre == "revocation"
    if (
        (signee or revocation)
        and notification.id is not None
        and not natif.premiere_livraison(notification.id, maintenant=maintenant, emise_le=notification.instant)
    ):
        return [Resultat(statut="doublon")]
    if revocation:
        natif.alerter_revocation(
            *twitch.abonnement_revoque(notification), par=SYSTEME if signee else acteur(request), maintenant=maintenant
        )
    return natif.recevoir_traduction(
        traduction, plateforme="twitch", bot_id=None if signee else bot(request).pk, maintenant=maintenant
    )


@decrire(
    "evenements_discord",
    "Faire entrer un événement du Gateway Discord.",
    corps="Dispatch",
    reponses={200: "Resultats"},
    parametres=ETIQUETTE,
)
@operation("POST", portee="evenements")
def evenements_discord(request: Request) -> Response:
    """Un dispatch du Gateway, relayé par un bot."""
    _exiger_plateforme(request, "discord")
    with fautes():
        traduction = discord.traduire(octets(request.data), lire_etiquette(request.query_params))
    return _rendre(
        natif.recevoir_traduction(traduction, plateforme="discord", bot_id=bot(request).pk, maintenant=now())
    )


def _exiger_plateforme(request: Request, plateforme: str) -> None:
    if not isinstance(request.auth, Signee) and plateforme not in bot(request).plateformes:
        raise Refus("plateforme_interdite", "Ce bot n’agit pas sur cette plateforme.", 403)


def _rendre(resultats: list[Resultat]) -> Response:
    """Une charge native n'a pas d'élément voisin à épargner : fautive, elle est refusée entière."""
    if any(r.statut == "invalide" for r in resultats):
        raise CorpsFautif(
            "Cette charge ne peut pas être prise.", [c for r in resultats for c in r.champs] or [Champ("", "forme")]
        )
    return Response({"resultats": resultats})
