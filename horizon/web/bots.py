"""Bots : les lister, en créer un (sa clé n'est montrée qu'une fois), révoquer une clé (SR-05)."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from horizon.models import Bot
from horizon.selectors import bots as selecteur
from horizon.services import bots as service
from horizon.services.erreurs import Refus
from horizon.web import envois
from horizon.web.acces import acteur, reauthentifie, rediriger, utilisateur
from horizon.web.formulaires import FormulaireBot


@require_safe
def liste(request: HttpRequest) -> HttpResponse:
    """Tous les bots et l'état de leurs clés."""
    return render(request, "horizon/bots.html", {"lignes": selecteur.liste(timezone.now())})


@require_http_methods(["GET", "HEAD", "POST"])
@reauthentifie
def creer(request: HttpRequest) -> HttpResponse:
    """Formulaire, puis la clé dans la réponse même du POST : ni session, ni URL, ni cache ne la voient."""
    if request.method != "POST":
        return _formulaire(request, FormulaireBot(initial={"envoi": envois.jeton()}))
    formulaire = FormulaireBot(request.POST)
    if not formulaire.is_valid():
        return _formulaire(request, formulaire, statut=422)
    donnees = dict(formulaire.cleaned_data)
    if not envois.consommer(donnees.pop("envoi"), compte_id=utilisateur(request).pk):
        return render(request, "horizon/bot_deja_cree.html", status=409)
    try:
        bot, cle = service.creer(**donnees, par=acteur(request), maintenant=timezone.now())
    except Refus as refus:
        formulaire.add_error(refus.code if refus.code in formulaire.fields else None, refus.message)
        return _formulaire(request, formulaire, statut=refus.statut)
    return render(request, "horizon/bot_cree.html", {"bot": bot, "cle": cle}, status=201)


def _formulaire(request: HttpRequest, formulaire: FormulaireBot, statut: int = 200) -> HttpResponse:
    contexte = {"form": formulaire, "envoi": envois.jeton()}
    return render(request, "horizon/bot_creer.html", contexte, status=statut)


@require_http_methods(["GET", "HEAD", "POST"])
def revoquer(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Confirmation, puis révocation : l'appel suivant de ce bot est refusé."""
    bot = get_object_or_404(Bot, pk=bot_id)
    if request.method != "POST":
        etat = selecteur.etat(bot, timezone.now())
        return render(request, "horizon/bot_revoquer.html", {"bot": bot, "etat": etat})
    service.revoquer(bot_id=bot_id, par=acteur(request), maintenant=timezone.now())
    messages.success(request, f"La clé {bot.prefixe} est révoquée.")
    return rediriger(request, redirect("bots").url)
