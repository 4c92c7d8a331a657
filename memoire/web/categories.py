"""Catégories : les dix, leur définition, et un libellé que les Super administrateurs peuvent changer (LT-09)."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from horizon.services.erreurs import Conflit, Refus
from horizon.templatetags.poste import fr
from horizon.web.acces import acteur, echange, rediriger
from memoire.noyau.categories import NOMBRE, Categorie, Origine
from memoire.noyau.phrases import ORIGINES
from memoire.selectors import categories as selecteur
from memoire.services import categories as service
from memoire.web.formulaires import FormulaireLibelle


@dataclass(frozen=True, slots=True)
class Etape:
    """Où en est l'édition : `saisie`, `conflit` ou `enregistre`. `voulu` : ce que portait le formulaire."""

    nom: str = "saisie"
    voulu: str | None = None
    faute: str = ""
    statut: int = 200


@require_safe
def liste(request: HttpRequest) -> HttpResponse:
    """Les dix catégories."""
    lignes = [(lue, origines_en_mots(lue.categorie)) for lue in selecteur.toutes()]
    return render(request, "memoire/categories.html", {"lignes": lignes, "nombre_fixe": NOMBRE})


@require_http_methods(["GET", "HEAD", "POST"])
def modifier(request: HttpRequest, code: str) -> HttpResponse:
    """Renommer une catégorie, ou lui rendre son libellé d'origine ; une version périmée est dite (409)."""
    try:
        selecteur.une(code)
    except KeyError:
        raise Http404 from None
    if request.method != "POST":
        return _rendre(request, code, Etape())
    etape = _traiter(request, code)
    if etape.nom == "enregistre" and not echange(request):
        messages.success(request, fr(f"Le libellé est « {selecteur.une(code).libelle} »."))
        return rediriger(request, request.path)
    return _rendre(request, code, etape)


def _traiter(request: HttpRequest, code: str) -> Etape:
    voulu, retablir = request.POST.get("libelle", ""), request.POST.get("action") == "retablir"
    formulaire = FormulaireLibelle({"libelle": "x" if retablir else voulu, "version": request.POST.get("version")})
    if not formulaire.is_valid():
        faute = " ".join(str(f) for fautes in formulaire.errors.values() for f in fautes)
        return Etape(voulu=voulu, faute=faute, statut=422)
    version, par, maintenant = formulaire.cleaned_data["version"], acteur(request), timezone.now()
    try:
        if retablir:
            service.retablir(code, version=version, par=par, maintenant=maintenant)
        else:
            service.renommer(code, voulu, version=version, par=par, maintenant=maintenant)
    except Conflit:
        return Etape("conflit", voulu, statut=409)
    except Refus as refus:
        return Etape(voulu=voulu, faute=refus.message, statut=refus.statut)
    return Etape("enregistre")


def _rendre(request: HttpRequest, code: str, etape: Etape) -> HttpResponse:
    """L'état lu après coup : en conflit, le libellé frais à côté de celui qui était voulu."""
    lue = selecteur.une(code)
    contexte = {
        "lue": lue,
        "origines": origines_en_mots(lue.categorie),
        "etape": etape,
        "saisie": lue.libelle if etape.voulu is None else etape.voulu,
        "dernier": selecteur.dernier_changement(code),
        "longueur_max": service.LONGUEUR_MAX,
    }
    gabarit = "memoire/_categorie.html" if echange(request) else "memoire/categorie.html"
    return render(request, gabarit, contexte, status=etape.statut)


def origines_en_mots(categorie: Categorie) -> list[str]:
    """Les origines admises, dans l'ordre où elles se présentent d'habitude."""
    return [ORIGINES[o.value] for o in Origine if o in categorie.origines]
