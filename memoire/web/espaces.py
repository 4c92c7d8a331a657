"""Espaces : ce que chacun mémorise, fermer, rouvrir, configurer, retirer (CT-02, CT-03, ID-09)."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from horizon.models import Espace
from horizon.services import espaces as service
from horizon.services.erreurs import Refus
from horizon.web.acces import acteur, echange, rediriger
from horizon.web.formulaires import FormulaireEspace, debut_de_jour
from memoire.selectors import espaces as selecteur


def _minuit() -> datetime:
    """« Aujourd'hui » commence à minuit, à Paris."""
    return debut_de_jour(timezone.localdate())


@require_safe
def liste(request: HttpRequest) -> HttpResponse:
    """Tous les espaces, par plateforme."""
    return render(request, "memoire/espaces.html", {"plateformes": selecteur.par_plateforme(depuis=_minuit())})


@require_POST
def fermer(request: HttpRequest, espace_id: int) -> HttpResponse:
    """Suspend la mémorisation d'un espace."""
    return _basculer(request, espace_id, service.fermer, "L’espace est fermé.")


@require_POST
def rouvrir(request: HttpRequest, espace_id: int) -> HttpResponse:
    """Reprend la mémorisation d'un espace."""
    return _basculer(request, espace_id, service.rouvrir, "L’espace est de nouveau mémorisé.")


def _basculer(request: HttpRequest, espace_id: int, acte: Callable[..., None], dit: str) -> HttpResponse:
    """`dit` : ce que lit qui recharge la page ; un échange, lui, est annoncé par le navigateur."""
    try:
        acte(espace_id=espace_id, par=acteur(request), maintenant=timezone.now())
    except Refus:
        raise Http404 from None
    if not echange(request):
        messages.success(request, dit)
        return rediriger(request, reverse("espaces"))
    ligne = selecteur.ligne(espace_id, depuis=_minuit())
    if ligne is None:
        raise Http404
    return render(request, "memoire/_espace.html", {"ligne": ligne})


@require_http_methods(["GET", "HEAD", "POST"])
def configurer(request: HttpRequest) -> HttpResponse:
    """Rend un espace mémorisable, ou change son nom et sa visibilité. Prérempli par `?espace=`."""
    if request.method != "POST":
        return _formulaire(request, FormulaireEspace(initial=_initial(request)))
    formulaire = FormulaireEspace(request.POST)
    if not formulaire.is_valid():
        return _formulaire(request, formulaire, 422)
    try:
        service.configurer(**formulaire.cleaned_data, par=acteur(request), maintenant=timezone.now())
    except Refus as refus:
        champ = {"identifiant": "externe_id"}.get(refus.code, refus.code)
        formulaire.add_error(champ if champ in formulaire.fields else None, refus.message)
        return _formulaire(request, formulaire, refus.statut)
    messages.success(request, "L’espace est mémorisé.")
    return rediriger(request, reverse("espaces"))


def _initial(request: HttpRequest) -> dict[str, Any]:
    choisi = request.GET.get("espace", "")
    if not choisi:
        return {"visibilite": Espace.Visibilite.PUBLIC}
    espace = get_object_or_404(Espace, pk=int(choisi) if choisi.isdecimal() and len(choisi) < 19 else 0)
    return {champ: getattr(espace, champ) for champ in FormulaireEspace.base_fields}


def _formulaire(request: HttpRequest, formulaire: FormulaireEspace, statut: int = 200) -> HttpResponse:
    return render(request, "memoire/espace_configurer.html", {"form": formulaire}, status=statut)


@require_http_methods(["GET", "HEAD", "POST"])
def retirer(request: HttpRequest, espace_id: int) -> HttpResponse:
    """Confirmation chiffrée, puis retrait : l'espace n'est plus mémorisé."""
    espace = get_object_or_404(Espace, pk=espace_id)
    if request.method != "POST":
        vivantes = selecteur.vivantes_dans(espace_id, timezone.now())
        return render(request, "memoire/espace_retirer.html", {"espace": espace, "vivantes": vivantes})
    service.retirer(
        plateforme=espace.plateforme, externe_id=espace.externe_id, par=acteur(request), maintenant=timezone.now()
    )
    messages.success(request, "L’espace n’est plus mémorisé.")
    return rediriger(request, reverse("espaces"))
