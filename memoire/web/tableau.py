"""Tableau de bord : ce qui entre, ce qui est exclu et pourquoi, ce qui va expirer. Aucun contenu, nulle part."""

import hashlib
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from horizon.models import Utilisateur
from horizon.models.utilisateurs import Role
from horizon.selectors import mise_en_route, sante, traces
from horizon.web.acces import utilisateur
from memoire.selectors import tableau, vigilances

ACTIONS = 8
ARRET = 286
"""Statut par lequel htmx cesse une interrogation périodique."""


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """L'accueil : le tableau de bord de qui conduit, une page simple pour un Membre."""
    compte = utilisateur(request)
    if not compte.conduit:
        return render(request, "horizon/accueil_membre.html")
    return render(request, "memoire/tableau.html", _contexte(compte))


@require_safe
def pouls(request: HttpRequest) -> HttpResponse:
    """Compteurs vivants : 204 si rien n'a changé depuis `vu`, 286 une fois déconnecté."""
    if not request.user.is_authenticated:
        return HttpResponse(status=ARRET)
    compte = utilisateur(request)
    if not compte.conduit:
        return HttpResponse(status=204)
    contexte = _contexte(compte)
    if request.GET.get("vu") == contexte["empreinte"]:
        return HttpResponse(status=204)
    return render(request, "memoire/_pouls.html", contexte)


def _contexte(compte: Utilisateur) -> dict[str, Any]:
    maintenant = timezone.now()
    entrees = tableau.entrees(maintenant)
    actions = traces.dernieres(ACTIONS)
    etat = sante.etat(maintenant)
    etapes = mise_en_route.etapes(compte)
    a_trancher = vigilances.nombre(maintenant) if compte.role == Role.SA else 0
    vu = repr(
        (a_trancher, entrees, [a.trace.pk for a in actions], etat.niveau, [p.phrase for p in etat.points], etapes)
    )
    return {
        "entrees": entrees,
        "debut": tableau.debut_de_fenetre(maintenant),
        "tranche": tableau.tranche(maintenant),
        "actions": actions,
        "sante": etat,
        "etapes": etapes,
        "a_trancher": a_trancher,
        "echeance": vigilances.prochaine_echeance(maintenant) if a_trancher else None,
        "reste": sum(not e.faite for e in etapes),
        "empreinte": hashlib.sha256(vu.encode()).hexdigest()[:16],
    }
