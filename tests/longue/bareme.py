"""Engendre le barème, la table des catégories et la courbe de `memoire/README.md` depuis le code qui les tient.

`uv run python -m tests.longue.bareme` les récrit ; un essai vérifie qu'ils suivent.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from memoire.noyau import confiance
from memoire.noyau.categories import CATEGORIES, Origine

RACINE = Path(__file__).resolve().parents[2]
PAGE, COURBE = RACINE / "memoire" / "README.md", RACINE / "static" / "img" / "confiance.svg"
FIABILITE, PAS = 80, 8
"""Fiabilité des observations tracées, et leur nombre."""
GAUCHE, HAUT, LARGE, HAUTE = 44, 20, 400, 240
STYLE = """
  svg { color-scheme: light dark; font: 12px system-ui, sans-serif }
  .fond { fill: #fbfcfa } text { fill: #4c5c58 } .axe { stroke: #d0d7d2 }
  .seuil { stroke: #7b8983; stroke-dasharray: 4 4 } .haut { stroke: #0b5d54 } .bas { stroke: #a3261d }
  .ligne { fill: none; stroke-width: 2.5 } .second { stroke-dasharray: 7 4 }
  @media (prefers-color-scheme: dark) {
    .fond { fill: #141c1f } text { fill: #9fb2af } .axe { stroke: #263338 } .seuil { stroke: #667a80 }
    .haut { stroke: #74d3c2 } .bas { stroke: #f5958b }
  }
"""


def table_du_bareme() -> str:
    """Chaque valeur du barème, et ce qu'elle règle."""
    c = confiance
    lignes = [(f"souvenir neuf, {_mot(o)}", _initiale(o, v)) for o, v in c.INITIALES.items()]
    lignes += [
        ("souvenir corrigé par la Personne", f"{c.CORRECTION}"),
        ("une concordance", f"+ (100 − confiance) × fiabilité ÷ {c.PART_DE_CONCORDANCE * 100}, au moins 1"),
        ("une contradiction", f"− fiabilité ÷ {c.PART_DE_CONTRADICTION}, au moins 1"),
        ("perte de la dernière source", f"une contradiction de fiabilité {c.PERTE_DE_SOURCE}"),
        ("proposition ou règle recevable", f"fiabilité d’au moins {c.FIABILITE_MINIMALE}"),
        ("proposition ou règle qui remplace", f"fiabilité > confiance + {c.ECART}"),
        ("… un souvenir né d’une demande", f"et {c.CONTRADICTIONS_POUR_CEDER} contradictions non levées"),
        ("« sûr »", f"confiance d’au moins {c.SEUIL_SUR}, aucune contradiction"),
        (
            "« probable »",
            f"de {c.SEUIL_PROBABLE} à {c.SEUIL_SUR - 1} sans contradiction ; ou {c.SEUIL_SUR} et plus, mais contredit",
        ),
        ("« incertain »", f"moins de {c.SEUIL_PROBABLE} ; ou moins de {c.SEUIL_SUR}, et contredit"),
    ]
    return _table(("règle", "valeur"), lignes)


def table_des_pas() -> str:
    """Les valeurs que trace la courbe."""
    titres = ("observations distinctes", *(str(n) for n in range(PAS + 1)))
    return _table(titres, [(nom, *map(str, points)) for nom, _, points in suites()])


def table_des_categories() -> str:
    """Les dix, avec ce qu'elles accueillent."""
    toutes = frozenset(Origine)
    lignes = [
        (
            f"`{c.code}`",
            c.libelle,
            c.definition,
            "toutes" if c.origines == toutes else ", ".join(_mot(o) for o in Origine if o in c.origines),
            str(c.observations_minimales),
        )
        for c in CATEGORIES.values()
    ]
    return _table(("code", "libellé d’origine", "accueille", "origines", "observations"), lignes)


def suites() -> list[tuple[str, str, list[int]]]:
    """(nom, classes de tracé, confiances) de chaque ligne de la courbe."""
    demande, proposition = (confiance.INITIALES[o] for o in (Origine.DEMANDE, Origine.PROPOSITION))
    return [
        ("demande concordée", "haut", _suivre(demande, confiance.renforcer)),
        ("proposition concordée", "haut second", _suivre(proposition, confiance.renforcer)),
        ("demande contredite", "bas", _suivre(demande, confiance.affaiblir)),
        ("proposition contredite", "bas second", _suivre(proposition, confiance.affaiblir)),
    ]


def courbe() -> str:
    """La courbe, en SVG, claire ou sombre selon qui regarde."""
    droite, bas = GAUCHE + LARGE, HAUT + HAUTE
    traits = [
        f'<line class="axe" x1="{GAUCHE}" x2="{droite}" y1="{_y(v)}" y2="{_y(v)}"/>'
        f'<text x="{GAUCHE - 8}" y="{_y(v) + 4}" text-anchor="end">{v}</text>'
        for v in (0, 20, 60, 80, 100)
    ]
    for seuil, mot in ((confiance.SEUIL_SUR, "sûr"), (confiance.SEUIL_PROBABLE, "probable")):
        traits.append(
            f'<line class="seuil" x1="{GAUCHE}" x2="{droite}" y1="{_y(seuil)}" y2="{_y(seuil)}"/>'
            f'<text x="{GAUCHE - 8}" y="{_y(seuil) + 4}" text-anchor="end">{seuil}</text>'
            f'<text x="{droite - 6}" y="{_y(seuil) - 6}" text-anchor="end">{mot} dès {seuil}</text>'
        )
    for n in range(PAS + 1):
        traits.append(f'<text x="{_x(n)}" y="{bas + 18}" text-anchor="middle">{n}</text>')
    for (nom, classes, points), decalage in zip(suites(), _decalages(), strict=True):
        trace = " ".join(f"{_x(n)},{_y(v)}" for n, v in enumerate(points))
        traits.append(f'<polyline class="ligne {classes}" points="{trace}"/>')
        traits.append(f'<text x="{droite + 8}" y="{_y(points[-1]) + 4 + decalage}">{nom}</text>')
    titre = "Confiance d’un souvenir selon le nombre d’observations distinctes"
    corps = "\n".join(traits)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 620 320" width="620" height="320" role="img" '
        f'aria-labelledby="t d">\n<title id="t">{titre}</title>\n'
        f'<desc id="d">Observations de fiabilité {FIABILITE}. Les valeurs sont dans le tableau de memoire/README.md.'
        f'</desc>\n<style>{STYLE}</style>\n<rect class="fond" width="620" height="320" rx="6"/>\n{corps}\n'
        f'<text x="{(GAUCHE + droite) // 2}" y="{bas + 42}" text-anchor="middle">observations distinctes, de fiabilité '
        f"{FIABILITE}</text>\n</svg>\n"
    )


def inserer(page: str) -> str:
    """La page, ses parties engendrées mises à jour entre leurs repères."""
    parties = {"bareme": table_du_bareme(), "pas": table_des_pas(), "categories": table_des_categories()}
    for nom, texte in parties.items():
        motif = re.compile(rf"(<!-- {nom} -->\n).*?(<!-- /{nom} -->)", re.DOTALL)
        page, faits = motif.subn(lambda m, t=texte: f"{m[1]}{t}{m[2]}", page)  # type: ignore[misc]
        assert faits == 1, nom
    return page


def _suivre(depart: int, pas: Callable[[int, int], int]) -> list[int]:
    points = [depart]
    for _ in range(PAS):
        points.append(pas(points[-1], FIABILITE))
    return points


def _decalages() -> list[int]:
    """Écarte les noms de deux lignes qui finissent au même endroit."""
    decalages = [0] * len(suites())
    for rang, (avant, apres) in enumerate(pairwise(_y(points[-1]) for _, _, points in suites())):
        if abs(apres - avant) < 14:
            decalages[rang], decalages[rang + 1] = -10, 4
    return decalages


def _initiale(origine: Origine, valeur: int) -> str:
    plafonnee = origine in (Origine.PROPOSITION, Origine.REGLE)
    return f"{valeur}, ou sa fiabilité si elle est plus basse" if plafonnee else f"{valeur}"


def _mot(origine: Origine) -> str:
    return {"demande": "demande", "proposition": "proposition", "regle": "règle", "sa": "SA"}[origine.value]


def _table(titres: tuple[str, ...], lignes: Sequence[tuple[str, ...]]) -> str:
    rangs = [titres, tuple("---" for _ in titres), *lignes]
    return "".join(f"| {' | '.join(rang)} |\n" for rang in rangs)


def _x(n: int) -> int:
    return GAUCHE + n * LARGE // PAS


def _y(valeur: int) -> int:
    return HAUT + HAUTE - valeur * HAUTE // 100


if __name__ == "__main__":
    PAGE.write_text(inserer(PAGE.read_text()))
    COURBE.write_text(courbe())
