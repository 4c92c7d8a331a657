"""Confidentialité : page publique, engendrée des mêmes constantes que le code."""

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from horizon import parametres
from horizon.noyau.motifs import EXCLUSIONS, FINALITES
from horizon.parametres import IDENTITE_OUBLIEE, Definition
from horizon.selectors.parametres import valeur


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Ce que le Poste promet et ne promet pas."""
    duree = parametres.definition("duree_courte")
    contexte = {
        "duree": _valeur(duree),
        "duree_maximale": duree.maximum,
        "identite_oubliee": _valeur(IDENTITE_OUBLIEE),
        "exclusions": EXCLUSIONS,
        "finalites": FINALITES,
    }
    return render(request, "horizon/confidentialite.html", contexte)


def _valeur(definition: Definition) -> int:
    """La valeur en vigueur ; base muette, la borne haute, qui n'est jamais dépassée."""
    try:
        return valeur(definition)
    except DatabaseError:
        return definition.maximum
