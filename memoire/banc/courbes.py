"""Le dessin des mesures : un SVG léger, lisible clair ou sombre, dont chaque valeur est aussi écrite."""

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

LARGEUR, HAUTEUR, MARGE = 760, 300, 24
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1c2330}.t{font-weight:600}.f{fill:#eef1f6}.b{fill:#2f6db3}"
    ".p{fill:#9aa7b8}.l{stroke:#2f6db3;stroke-width:2;fill:none}.v{stroke:#b3452f;stroke-dasharray:4 4}"
    "@media(prefers-color-scheme:dark){text{fill:#e7ecf4}.f{fill:#1b2230}.b{fill:#6ba6ea}.l{stroke:#6ba6ea}}"
)
VISEE_CONTEXTE_MS = 15.0


def dessiner(mesures: dict[str, Any]) -> str:
    """Deux dessins côte à côte : débits d'entrée rapportés au plafond, temps de lecture selon la taille."""
    entree, lecture = mesures["ingestion"], mesures["contexte"]
    resume = (
        f"Entrée : {_nombre(entree['lots_de_100'])} messages par seconde par lots de 100, "
        f"{_nombre(entree['lots_de_500'])} par lots de 500, plafond {_nombre(entree['plafond'])}. Lecture : "
        + ", ".join(f"{c['p95_ms']} ms à {_nombre(c['interactions'])}" for c in lecture)
        + "."
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LARGEUR} {HAUTEUR}" role="img">'
        f"<title>Mesures du banc</title><desc>{escape(resume)}</desc><style>{STYLE}</style>"
        f'<rect class="f" width="{LARGEUR}" height="{HAUTEUR}" rx="8"/>{_barres(entree)}{_courbe(lecture)}</svg>\n'
    )


def _barres(entree: dict[str, Any]) -> str:
    valeurs = [
        ("Plafond (unnest brut)", entree["plafond"], "p"),
        ("HTTP, lots de 500", entree["lots_de_500"], "b"),
        ("HTTP, lots de 100", entree["lots_de_100"], "b"),
        ("HTTP, message seul", entree["message_seul"], "b"),
    ]
    dessin = [_texte(MARGE, 36, "Entrée, messages par seconde", "t")]
    for rang, (nom, valeur, classe) in enumerate(valeurs):
        y = 66 + rang * 54
        longueur = max(2, 300 * valeur / entree["plafond"])
        dessin.append(_texte(MARGE, y, f"{nom} : {_nombre(valeur)}"))
        dessin.append(f'<rect class="{classe}" x="{MARGE}" y="{y + 7}" width="{longueur:.0f}" height="16" rx="2"/>')
    return "".join(dessin)


def _courbe(lecture: Sequence[dict[str, Any]]) -> str:
    gauche, bas, haut, droite = 420, 240, 70, 720
    plafond = max(VISEE_CONTEXTE_MS * 1.2, *(c["p95_ms"] for c in lecture))
    pas = (droite - gauche) / max(1, len(lecture) - 1)
    points = [(gauche + rang * pas, bas - (bas - haut) * c["p95_ms"] / plafond, c) for rang, c in enumerate(lecture)]
    y_visee = bas - (bas - haut) * VISEE_CONTEXTE_MS / plafond
    dessin = [
        _texte(gauche - 20, 36, "Contexte, p95 en ms selon les messages tenus", "t"),
        f'<line class="v" x1="{gauche - 20}" x2="{droite}" y1="{y_visee:.0f}" y2="{y_visee:.0f}"/>',
        _texte(gauche - 20, y_visee - 6, "visée : 15 ms"),
        f'<polyline class="l" points="{" ".join(f"{x:.0f},{y:.0f}" for x, y, _ in points)}"/>',
    ]
    for x, y, mesure in points:
        dessin.append(f'<circle class="b" cx="{x:.0f}" cy="{y:.0f}" r="4"/>')
        dessin.append(_texte(x - 12, y - 10, str(mesure["p95_ms"]).replace(".", ",")))
        dessin.append(_texte(x - 20, bas + 24, _nombre(mesure["interactions"])))
    return "".join(dessin)


def _texte(x: float, y: float, texte: str, classe: str = "") -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}"{f" class={chr(34)}{classe}{chr(34)}" if classe else ""}>{escape(texte)}</text>'
    )


def _nombre(valeur: float) -> str:
    for seuil, unite in ((1_000_000, "M"), (10_000, "k")):
        if valeur >= seuil:
            return f"{valeur / seuil:.3g}".replace(".", ",") + f" {unite}" if unite == "M" else f"{valeur / 1000:.0f} k"
    return f"{valeur:.0f}"
