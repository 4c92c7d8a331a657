"""Compte majorant de tokens d'un texte, sans charger de découpeur.

Découpeur nommé « horizon-1 » : une suite de lettres compte un token pour deux octets UTF-8 (arrondi au-dessus),
tout autre caractère visible un token par octet, un saut de ligne un token, une espace rien (les découpeurs par
paires d'octets la collent au mot). Le compte dépasse celui des découpeurs courants sur du français : un budget
tenu ici l'est aussi chez le prestataire (DV-11).
"""

import re

_MORCEAUX = re.compile(r"[^\W\d_]+|\n|[^\s]")


def compter(texte: str) -> int:
    """Nombre majorant de tokens de `texte` (entier ≥ 0)."""
    return sum(_poids(m.group()) for m in _MORCEAUX.finditer(texte))


def _poids(morceau: str) -> int:
    octets = len(morceau.encode("utf-8", "surrogatepass"))
    return (octets + 1) // 2 if morceau[0].isalpha() else octets
