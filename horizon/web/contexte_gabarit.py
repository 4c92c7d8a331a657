"""Ce que toute page reçoit : navigation selon le rôle, thème, bannière d'état. Ne fait jamais échouer une page."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from horizon.models import Utilisateur
from horizon.selectors import sante
from horizon.web import theme
from horizon.web.politiques import POLITIQUES

PAGES = (
    ("tableau", "Tableau de bord", "tableau"),
    ("vigilances", "Vigilances", "vigilances"),
    ("espaces", "Espaces", "espaces"),
    ("bots", "Bots", "bots"),
    ("categories", "Catégories", "categories"),
    ("noyau", "Noyau", "noyau"),
    ("garde", "Essai du garde", "garde"),
    ("parametres", "Paramètres", "parametres"),
    ("sante", "Santé", "sante"),
    ("audit", "Audit", "audit"),
    ("confidentialite", "Confidentialité", "confidentialite"),
)
"""Nom d'URL, libellé, icône."""


@dataclass(frozen=True, slots=True)
class Lien:
    """Une entrée de navigation ; `ici` : page courante (`page`) ou rubrique courante (`true`), sinon vide."""

    url: str
    libelle: str
    icone: str
    ici: str


def commun(request: HttpRequest) -> dict[str, Any]:
    """Processeur de contexte de toutes les pages."""
    compte = _compte(request)
    return {
        "compte": compte,
        "navigation": _navigation(request, compte),
        "theme": theme.choisi(request),
        "themes": theme.THEMES,
        "demonstration": settings.DEMO,
        "etat": _etat() if compte and compte.conduit else None,
    }


def _compte(request: HttpRequest) -> Utilisateur | None:
    try:
        compte = getattr(request, "user", None)
        return compte if isinstance(compte, Utilisateur) else None
    except DatabaseError:
        return None


def _navigation(request: HttpRequest, compte: Utilisateur | None) -> list[Lien]:
    role = compte.role if compte else "anonyme"
    return [
        Lien(url := reverse(nom), libelle, icone, _ici(request.path, url))
        for nom, libelle, icone in PAGES
        if role in POLITIQUES[nom].lecture
    ]


def _ici(chemin: str, url: str) -> str:
    if chemin == url:
        return "page"
    return "true" if url != "/" and chemin.startswith(url) else ""


def _etat() -> Any:
    try:
        return sante.etat(timezone.now())
    except DatabaseError:
        return None
