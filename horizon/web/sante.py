"""Santé : la page de ce qui marche et de ce qui est dégradé."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from horizon.selectors import sante


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Chaque point, son état et depuis quand ; l'horloge du Poste."""
    maintenant = timezone.now()
    return render(request, "horizon/sante.html", {"sante": sante.etat(maintenant), "maintenant": maintenant})
