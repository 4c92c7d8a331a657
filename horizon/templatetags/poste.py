"""Filtres de gabarit : dates relatives et absolues, nombres, textes d'utilisateur, vocabulaires en clair."""

import re
from datetime import datetime, timedelta
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from horizon.noyau.motifs import EXCLUSIONS, STATUTS
from horizon.web.icones import ICONES

register = template.Library()

HAUTEUR, SOL = 60, 63
"""Hauteur utile et ligne de base du graphique, dans son repère."""

FINE, INSECABLE = "\u202f", "\u00a0"
ESPACE_FINE = re.compile(r" (?=[;!?])")
ESPACE_PLEINE = re.compile(r" (?=[:»])|(?<=«) |(?<=\d) (?=(?:h|s|min|j)\b)")
MOIS = (
    "janvier", "février", "mars", "avril", "mai", "juin",
    "juillet", "août", "septembre", "octobre", "novembre", "décembre",
)  # fmt: skip
PLATEFORMES = {"twitch": "Twitch", "discord": "Discord", "web": "Web"}
SERVICES = {
    "base": "Base de données",
    "expiration": "Expiration",
    "file": "File de tâches",
    "worker": "Traitements différés",
    "beat": "Calendrier des traitements",
    "llm": "Modèle de langage",
}
PAS = ((60, 1, "s"), (3600, 60, "min"), (172_800, 3600, "h"), (float("inf"), 86_400, "j"))
"""Jusqu'à combien de secondes, par combien diviser, quelle unité."""


@register.filter
def duree(ecart: timedelta | float) -> str:
    """« 12 min », « 3 h », « 5 j » : une seule unité, arrondie en dessous."""
    secondes = abs(ecart.total_seconds() if isinstance(ecart, timedelta) else ecart)
    diviseur, unite = next((d, u) for borne, d, u in PAS if secondes < borne)
    return f"{nombre(int(secondes // diviseur))}{INSECABLE}{unite}"


@register.filter
def relatif(instant_: datetime) -> str:
    """« il y a 3 h », « dans 5 min », « à l’instant »."""
    ecart = (instant_ - timezone.now()).total_seconds()
    if abs(ecart) < 5:
        return "à l’instant"
    return f"dans {duree(ecart)}" if ecart > 0 else f"il y a {duree(ecart)}"


@register.filter
def heure(instant_: datetime) -> str:
    """« 14 h 05 », à Paris."""
    local = timezone.localtime(instant_)
    return f"{local.hour}{INSECABLE}h{INSECABLE}{local.minute:02d}"


@register.filter
def tranche(debut: datetime) -> str:
    """Début d'une tranche d'une heure : « 14 h », « hier 23 h »."""
    local = timezone.localtime(debut)
    veille = "hier " if local.date() < timezone.localdate() else ""
    return f"{veille}{local.hour}{INSECABLE}h"


@register.filter
def absolu(instant_: datetime) -> str:
    """« 31 mai 2026 à 14 h 05 (Paris) »."""
    local = timezone.localtime(instant_)
    jour = "1er" if local.day == 1 else str(local.day)
    return f"{jour}{INSECABLE}{MOIS[local.month - 1]} {local.year} à {heure(instant_)} (Paris)"


@register.filter
def instant(instant_: datetime | None) -> SafeString:
    """Date relative, tenue à jour par le navigateur, puis date absolue."""
    if instant_ is None:
        return mark_safe("jamais")
    return format_html(
        '<time class="instant" datetime="{}"><span data-relatif>{}</span> '
        '<span class="instant-absolu">{}</span></time>',
        instant_.isoformat(),
        relatif(instant_),
        absolu(instant_),
    )


@register.filter
def nombre(valeur: int | float) -> str:
    """« 1 234,5 », espaces fines insécables entre les milliers."""
    return f"{valeur:,}".replace(",", FINE).replace(".", ",")


@register.filter
def accord(compte: int, formes: str = "s") -> str:
    """Accord français (singulier en dessous de deux) : `{{ n|accord }}`, `{{ n|accord:"al,aux" }}`."""
    singulier, _, pluriel = formes.rpartition(",")
    return singulier if abs(compte) < 2 else pluriel


@register.filter
def saisi(texte: str) -> SafeString:
    """Texte venu d'un utilisateur : échappé, isolé du sens d'écriture, inerte pour htmx."""
    return format_html("<bdi hx-disable>{}</bdi>", texte)


@register.filter
def plateforme(code: str) -> str:
    """Nom d'usage d'une plateforme."""
    return PLATEFORMES.get(code, code)


@register.filter
def fr(texte: str) -> str:
    """Phrase du code, avec les espaces insécables du français (fines devant ; ! ?)."""
    texte = ESPACE_FINE.sub(FINE, str(texte))
    return ESPACE_PLEINE.sub(INSECABLE, texte)


@register.filter
def milliers(texte: str) -> str:
    """Phrase dont les nombres sont groupés par trois chiffres (aucune année n'y paraît)."""
    return re.sub(r"\d{4,}", lambda m: nombre(int(m.group())), texte)


@register.filter
def parmi(code: str, mots: dict[str, str]) -> str:
    """Le mot d'un code, dans un vocabulaire passé par la vue ; le code lui-même s'il n'y est pas."""
    return fr(mots.get(code, code))


@register.filter
def motif(code: str) -> str:
    """Phrase d'un motif d'exclusion."""
    return fr(EXCLUSIONS.get(code, code))


@register.filter
def statut(code: str) -> str:
    """Libellé d'un statut d'événement."""
    return STATUTS.get(code, code)


@register.filter
def service(code: str) -> str:
    """Nom d'un point de santé."""
    return SERVICES.get(code, code)


@register.filter
def svg_en_ligne(svg: str) -> SafeString:
    """SVG produit par allauth (le code QR), sans son prologue XML, posé dans la page.

    La CSP interdit les images `data:` ; ce SVG ne porte ni style ni script.
    """
    return mark_safe(svg[svg.index("<svg") :])  # noqa: S308 (engendré ici, d'un secret tiré au sort)


@register.simple_tag
def icone(nom: str) -> SafeString:
    """Icône au trait, muette pour les lecteurs d'écran."""
    return format_html(
        '<svg class="icone" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">{}</svg>',
        mark_safe(ICONES[nom]),  # noqa: S308 (constantes du code)
    )


@register.inclusion_tag("composants/barres.html")
def barres(entrees: Any, debut: datetime) -> dict[str, Any]:
    """Vingt-quatre barres, une par heure, à l'échelle propre de la plateforme."""
    maximum = max(entrees.par_heure)
    hauteurs = [round(HAUTEUR * n / maximum) if maximum else 0 for n in entrees.par_heure]
    return {
        "code": entrees.plateforme,
        "debut": debut,
        "maximum": maximum,
        "barres": [
            # Une heure peu fournie garde une barre visible : un pixel n'est pas zéro.
            {
                "x": rang * 10 + 1,
                "y": SOL - max(h, 2 * bool(n)),
                "hauteur": max(h, 2 * bool(n)),
                "nombre": n,
                "heure": debut + timedelta(hours=rang),
            }
            for rang, (n, h) in enumerate(zip(entrees.par_heure, hauteurs, strict=True))
        ],
    }
