"""Ce que le modèle lit d'un texte : n-grammes de mots et de lettres, règles et indices, et leurs rencontres.

Un trait est une chaîne ; l'ensemble est le même sur toute machine. Les n-grammes n'apparaissent jamais dans un avis.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from horizon.noyau.sensibilite.langage import Trouvaille
from horizon.noyau.sensibilite.regles import CADRES
from horizon.noyau.sensibilite.vues import Jeton

_LETTRES = (3, 4, 5)
_MOTS = (1, 2, 3)


def forme(jeton: Jeton) -> str:
    """Le mot tel que le modèle le lit : un nombre vaut sa longueur, un nom propre inconnu vaut `@`."""
    if jeton.forme[0].isdigit():
        return "0" * min(len(jeton.forme), 5)
    return jeton.forme


def _de_mots(formes: Sequence[str]) -> Iterator[str]:
    bornes = ["^", *formes, "$"]
    for taille in _MOTS:
        for debut in range(len(bornes) - taille + 1):
            yield f"m{taille}:" + " ".join(bornes[debut : debut + taille])


def _de_lettres(formes: Sequence[str]) -> Iterator[str]:
    for mot in formes:
        borne = f"<{mot}>"
        for taille in _LETTRES:
            for debut in range(len(borne) - taille + 1):
                yield "l:" + borne[debut : debut + taille]


def _de_regles(trouvailles: Sequence[Trouvaille], formes: Sequence[str]) -> Iterator[str]:
    trouvailles = [trouvaille for trouvaille in trouvailles if trouvaille.nom != CADRES]
    noms = sorted({trouvaille.nom for trouvaille in trouvailles})
    yield from (f"r:{nom}" for nom in noms)
    yield from (f"p:{un}&{autre}" for un, autre in combinations(noms, 2))
    for trouvaille in trouvailles:
        avant = formes[trouvaille.debut - 1] if trouvaille.debut else "^"
        apres = formes[trouvaille.fin] if trouvaille.fin < len(formes) else "$"
        yield f"a:{avant} {trouvaille.nom}"
        yield f"z:{trouvaille.nom} {apres}"


def familles(jetons: Sequence[Jeton], trouvailles: Sequence[Trouvaille]) -> tuple[set[str], set[str], set[str]]:
    """Les traits en trois familles (mots, lettres, règles), chacune normée à part par le modèle."""
    formes = [forme(jeton) for jeton in jetons]
    regles = set(_de_regles(trouvailles, formes))
    if any(jeton.nom for jeton in jetons):
        regles.add("x:nom")
    return set(_de_mots(formes)), set(_de_lettres(formes)), regles
