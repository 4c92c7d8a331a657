"""Adresses de l'API, version 1."""

from django.urls import path

from horizon.api.contexte import contexte
from horizon.api.evenements import avis_remise, evenements
from horizon.api.natif import evenements_discord, evenements_twitch
from horizon.api.oublis import confirmation, oublis
from horizon.api.pauses import pauses, pauses_fin
from horizon.api.sante import sante
from horizon.api.schema import schema

app_name = "api"
urlpatterns = [
    path("evenements/", evenements, name="evenements"),
    path("evenements/twitch/", evenements_twitch, name="evenements_twitch"),
    path("evenements/discord/", evenements_discord, name="evenements_discord"),
    path("avis/remise/", avis_remise, name="avis_remise"),
    path("contexte/", contexte, name="contexte"),
    path("oublis/", oublis, name="oublis"),
    path("oublis/confirmation/", confirmation, name="oublis_confirmation"),
    path("pauses/", pauses, name="pauses"),
    path("pauses/fin/", pauses_fin, name="pauses_fin"),
    path("sante/", sante, name="sante"),
    path("schema/", schema, name="schema"),
]
