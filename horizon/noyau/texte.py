"""Textes et identifiants venus du dehors : ce que la base peut garder, ce qu'un humain peut lire.

Python pur, sans exception : chaque fonction répond à une question.
"""

import re
import unicodedata

from horizon.noyau.evenements import MOTIF_IDENTIFIANT

_IDENTIFIANT = re.compile(MOTIF_IDENTIFIANT)
_INVISIBLES_MARQUES = frozenset({"\u034f", "\u115f", "\u1160", "\u3164", "\uffa0", "\u2800", "\u180e"})
_CATEGORIES_INVISIBLES = frozenset({"Cf", "Cc", "Zs", "Zl", "Zp", "Cs", "Co", "Cn"})


def gardable(texte: str) -> bool:
    """Vrai si PostgreSQL peut garder ce texte tel quel : ni NUL, ni demi-codet isolé."""
    if "\x00" in texte:
        return False
    try:
        texte.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def identifiant_recevable(identifiant: str) -> bool:
    """Vrai si l'identifiant externe est de ceux que l'API admet : ni espace, ni caractère de commande ou invisible.

    Un identifiant n'est jamais rogné : `" 12"` et `"12"` seraient deux messages pour la plateforme
    et un seul pour nous, et la suppression de l'un raterait l'autre.
    """
    return _IDENTIFIANT.match(identifiant) is not None and gardable(identifiant)


def _invisible(caractere: str) -> bool:
    if caractere in _INVISIBLES_MARQUES:
        return True
    if caractere.isalnum():
        return False
    if unicodedata.category(caractere) in _CATEGORIES_INVISIBLES:
        return True
    # Sélecteurs de variante : sans caractère de base, ils ne montrent rien.
    return "\ufe00" <= caractere <= "\ufe0f" or "\U000e0100" <= caractere <= "\U000e01ef"


def sans_invisibles_en_tete(texte: str) -> str:
    """Le texte privé des caractères invisibles et espaces placés devant : clé de comparaison, jamais gardée."""
    for position, caractere in enumerate(texte):
        if not _invisible(caractere):
            return texte[position:]
    return ""


def illisible(texte: str) -> bool:
    """Vrai si le texte ne montre rien à un lecteur (vide, espaces, caractères invisibles)."""
    return not sans_invisibles_en_tete(texte)
