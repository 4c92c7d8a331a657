"""Paramètres : voir l'effet chiffré d'un changement, puis l'enregistrer ; une version périmée est dite (409)."""

from dataclasses import dataclass, field

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from horizon import parametres as catalogue
from horizon.parametres import Definition
from horizon.selectors import parametres as selecteur
from horizon.services import parametres as service
from horizon.services.erreurs import Conflit, Refus
from horizon.web.acces import echange, reauthentifie, rediriger, utilisateur
from horizon.web.formulaires import FormulaireParametre


@dataclass(frozen=True, slots=True)
class Etape:
    """Où en est l'édition : `saisie`, `apercu` (effets montrés), `conflit` ou `enregistre`."""

    nom: str = "saisie"
    valeur: object = None
    effets: list[str] = field(default_factory=list)
    formulaire: FormulaireParametre | None = None
    statut: int = 200


@require_safe
def liste(request: HttpRequest) -> HttpResponse:
    """Chaque paramètre : valeur, unité, bornes, valeur initiale."""
    return render(request, "horizon/parametres.html", {"lignes": selecteur.catalogue()})


@require_http_methods(["GET", "HEAD", "POST"])
def modifier(request: HttpRequest, cle: str) -> HttpResponse:
    """Édition d'un paramètre ; un paramètre sensible exige une authentification récente (SR-04)."""
    try:
        definition = catalogue.definition(cle)
    except KeyError:
        raise Http404 from None
    vue = reauthentifie(_modifier) if definition.sensible else _modifier
    return vue(request, definition)


def _modifier(request: HttpRequest, definition: Definition) -> HttpResponse:
    if request.method != "POST":
        return _rendre(request, definition, Etape())
    etape = _traiter(request, definition)
    if etape.nom == "enregistre" and not echange(request):
        messages.success(request, f"« {definition.libelle} » est enregistré.")
        return rediriger(request, request.path)
    return _rendre(request, definition, etape)


def _traiter(request: HttpRequest, definition: Definition) -> Etape:
    formulaire = FormulaireParametre(request.POST, definition=definition)
    if not formulaire.is_valid():
        return Etape(valeur=request.POST.get("valeur", ""), formulaire=formulaire, statut=422)
    valeur = formulaire.cleaned_data["valeur"]
    # Jamais d'enregistrement d'une valeur dont l'effet n'a pas été montré : la changer ramène à l'aperçu.
    if request.POST.get("action") != "enregistrer" or formulaire.cleaned_data["apercue"] != valeur:
        effets = service.apercevoir(definition, valeur, maintenant=timezone.now())
        return Etape("apercu", valeur, effets, formulaire)
    return _enregistrer(request, definition, formulaire)


def _enregistrer(request: HttpRequest, definition: Definition, formulaire: FormulaireParametre) -> Etape:
    valeur, version = formulaire.cleaned_data["valeur"], formulaire.cleaned_data["version"]
    try:
        service.changer(definition, valeur, version=version, par=utilisateur(request), maintenant=timezone.now())
    except Conflit:
        return Etape("conflit", valeur, formulaire=formulaire, statut=409)
    except Refus as refus:
        formulaire.add_error("valeur", refus.message)
        return Etape(valeur=valeur, formulaire=formulaire, statut=refus.statut)
    return Etape("enregistre")


def _rendre(request: HttpRequest, definition: Definition, etape: Etape) -> HttpResponse:
    """L'état lu après coup : en conflit, la page montre la valeur fraîche à côté de celle qui était voulue."""
    actuelle, version = next((v, n) for d, v, n in selecteur.catalogue() if d.cle == definition.cle)
    contexte = {
        "definition": definition,
        "actuelle": actuelle,
        "version": version,
        "etape": etape,
        "saisie": actuelle if etape.valeur is None else etape.valeur,
        "historique": selecteur.historique(definition.cle),
        "form": etape.formulaire,
    }
    gabarit = "horizon/parametre.html"
    if echange(request):
        gabarit = "horizon/_parametre.html"
    return render(request, gabarit, contexte, status=etape.statut)
