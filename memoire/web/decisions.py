"""Décisions récentes du Noyau : combien, d'où, où, et pourquoi un refus. Ni texte, ni Personne."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from horizon.web.acces import echange
from memoire.noyau.motifs import REFUS
from memoire.noyau.phrases import EFFETS, ORIGINES
from memoire.selectors import categories
from memoire.selectors.decisions import Bilan, Compte, bilan, debut
from memoire.web.formulaires import FormulaireDecisions

SANS_CATEGORIE = "Sans catégorie connue"


@dataclass(frozen=True, slots=True)
class Part:
    """Un effet ou un motif : son mot, sa phrase, son nombre, et sa part du total en centièmes."""

    code: str
    mot: str
    phrase: str
    nombre: int
    part: int


@require_safe
def recentes(request: HttpRequest) -> HttpResponse:
    """Les critères vivent dans l'URL."""
    formulaire, maintenant = FormulaireDecisions(request.GET), timezone.now()
    libelles = categories.libelles()
    contexte: dict[str, Any] = {"form": formulaire, "libelles": libelles, "origines_en_mots": ORIGINES}
    if formulaire.is_valid():
        critere = formulaire.critere()
        lu = bilan(critere, maintenant)
        contexte |= {
            "critere": critere,
            "debut": debut(critere.periode, maintenant),
            "bilan": lu,
            "effets": _effets(lu),
            "motifs": _motifs(lu),
            "origines": [(ORIGINES.get(c.code, c.code), c) for c in _tries(lu.origines)],
            "categories": [(libelles.get(c.code, SANS_CATEGORIE), c) for c in _tries(lu.categories)],
        }
    gabarit = "memoire/_noyau.html" if echange(request) else "memoire/noyau.html"
    return render(request, gabarit, contexte)


def _effets(lu: Bilan) -> list[Part]:
    return [Part(code, *EFFETS[code], n, _part(n, lu.total)) for code, n in lu.effets.most_common()]


def _motifs(lu: Bilan) -> list[Part]:
    return [Part(code, code, REFUS.get(code, code), n, _part(n, lu.refuses)) for code, n in lu.motifs.most_common()]


def _part(nombre: int, total: int) -> int:
    return round(100 * nombre / total) if total else 0


def _tries(comptes: dict[str, Compte]) -> list[Compte]:
    return sorted(comptes.values(), key=lambda c: (-c.total, c.code))
