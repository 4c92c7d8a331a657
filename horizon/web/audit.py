"""Journal d'audit : lecture seule, filtrable, page par page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from horizon.selectors import traces
from horizon.web.acces import echange
from horizon.web.formulaires import FormulaireAudit


@require_safe
def journal(request: HttpRequest) -> HttpResponse:
    """Les critères vivent dans l'URL ; `avant` est le curseur."""
    formulaire = FormulaireAudit(request.GET)
    lignes, suite = traces.page(formulaire.filtre()) if formulaire.is_valid() else ([], None)
    criteres = {nom: request.GET[nom] for nom in ("action", "acteur", "du", "au") if request.GET.get(nom)}
    contexte = {"form": formulaire, "lignes": lignes, "suite": suite, "criteres": criteres}
    gabarit = "horizon/_audit.html" if echange(request) else "horizon/audit.html"
    return render(request, gabarit, contexte)
