"""Le moteur de règles embarqué : sans réseau, sans modèle, toujours le même résultat (NO-02)."""

import re
import unicodedata
from collections.abc import Mapping, Sequence


def categoriser(texte: str, indices: Mapping[str, Sequence[str]], defaut: str) -> str:
    """La catégorie dont un indice apparaît en premier dans l'ordre donné ; `defaut` si aucun.

    `indices` : code → mots ou locutions. Comparés en mots entiers, sans casse ni accents.
    """
    plat = _plat(texte)
    for code, mots in indices.items():
        if any(re.search(rf"(?<!\w){re.escape(_plat(mot))}(?!\w)", plat) for mot in mots):
            return code
    return defaut


def _plat(texte: str) -> str:
    decompose = unicodedata.normalize("NFKD", texte.casefold().replace("’", "'"))
    return "".join(c for c in decompose if not unicodedata.combining(c))
