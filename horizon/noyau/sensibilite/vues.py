"""Les vues d'un texte : la même phrase débarrassée, une à une, de ce qui peut la déguiser (SE-05).

    plate     minuscules, sans accents, homoglyphes ni caractères invisibles, emoji parlants écrits en mots
    collee    lettres espacées réunies (`d i a b è t e`), lettres étirées resserrées
    leet      chiffres et signes lus comme des lettres (`d1abét1qu3`)
    verlan    mots de verlan courants remis à l'endroit

Les abréviations de tchat sont écrites en entier (`jsuis`, `tjrs`).

La dernière vue (`demasquee`) est celle que lisent les règles et le modèle ; chaque jeton sait de quelle vue il vient.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from horizon.noyau.sensibilite.donnees import charger_toml


@dataclass(frozen=True, slots=True)
class Jeton:
    """Un mot, un nombre ou un signe utile. `debut`, `fin` : bornes dans le texte d'origine, en points de code.

    `nom` : écrit comme un nom propre (majuscule hors début de phrase, mention, pseudonyme connu).
    """

    forme: str
    debut: int
    fin: int
    vue: str = "plate"
    nom: bool = False


_TABLES = charger_toml("deguisements.toml")
_HOMOGLYPHES: dict[str, str] = _TABLES["homoglyphes"]
_EMOJI: dict[str, str] = {signe: f" {mots} " for signe, mots in _TABLES["emoji"].items()}
_TCHAT: dict[str, str] = _TABLES["tchat"]
_VERLAN: dict[str, str] = _TABLES["verlan"]
_LEET: dict[int, str] = str.maketrans(_TABLES["leet"])
_INVISIBLES = frozenset("\u034f\u115f\u1160\u3164\uffa0\u2800\u180e")
_JETON = re.compile(r"[a-z0-9@$!|+]*[a-z0-9][a-z0-9@$|+]*|[:=€$]")
_ETIREE = re.compile(r"([a-z])\1{2,}")


@lru_cache(maxsize=4096)
def _plier(signe: str) -> str:
    """Un point de code ramené à sa forme plate : zéro, un ou plusieurs caractères."""
    if signe in _EMOJI:
        return _EMOJI[signe]
    if signe in _INVISIBLES or unicodedata.category(signe) in {"Cf", "Cs", "Co", "Cn", "Mn", "Me"}:
        return ""
    if signe in _HOMOGLYPHES:
        return _HOMOGLYPHES[signe]
    decompose = unicodedata.normalize("NFKD", signe).casefold()
    plat = "".join(c for c in decompose if not unicodedata.combining(c))
    return "".join(_HOMOGLYPHES.get(c, c) for c in plat)


def _aplatir(texte: str) -> tuple[str, list[int]]:
    """Le texte plat, et pour chacun de ses caractères le rang du point de code d'origine."""
    morceaux: list[str] = []
    rangs: list[int] = []
    for rang, signe in enumerate(texte):
        plat = _plier(signe)
        morceaux.append(plat)
        rangs += [rang] * len(plat)
    return "".join(morceaux), rangs


def _debut_de_phrase(texte: str, rang: int) -> bool:
    avant = texte[:rang].rstrip(" «\"'([—-*_>")
    return not avant or avant[-1] in ".!?…:\n"


def _nom_propre(texte: str, debut: int, fin: int) -> bool:
    if debut and texte[debut - 1] == "@":
        return True
    mot = texte[debut:fin].lstrip("@")
    return mot[:1].isupper() and mot[1:].islower() and not _debut_de_phrase(texte, debut)


def _jetons_plats(texte: str, pseudonymes: frozenset[str]) -> list[Jeton]:
    plat, rangs = _aplatir(texte)
    jetons = []
    for trouve in _JETON.finditer(plat):
        debut, fin = rangs[trouve.start()], rangs[trouve.end() - 1] + 1
        forme = trouve.group().strip("!|+@") or trouve.group()
        nom = forme in pseudonymes or _nom_propre(texte, debut, fin)
        jetons.append(Jeton(_ETIREE.sub(r"\1", forme), debut, fin, "plate", nom))
    return jetons


def _lettre_seule(jeton: Jeton) -> bool:
    return len(jeton.forme) == 1 and jeton.forme.isalnum()


def _suites(jetons: list[Jeton], texte: str) -> Iterator[list[Jeton]]:
    """Regroupe les lettres isolées qui se suivent, séparées de la même façon ; un double espace sépare deux mots."""
    suite: list[Jeton] = []
    signe = ""
    for jeton in jetons:
        entre = texte[suite[-1].fin : jeton.debut] if suite else ""
        if suite and not (_lettre_seule(jeton) and _lettre_seule(suite[-1]) and "  " not in entre and len(entre) <= 3):
            yield suite
            suite = []
        elif len(suite) > 1 and entre != signe:
            # « à g.a.u.c.h.e » : la lettre qui précédait n'était pas du mot.
            yield suite[:1] if len(suite) == 2 else suite
            suite = suite[1:] if len(suite) == 2 else []
        signe = entre
        suite.append(jeton)
    if suite:
        yield suite


def _coller(jetons: list[Jeton], texte: str) -> list[Jeton]:
    colles: list[Jeton] = []
    for suite in _suites(jetons, texte):
        lettres = "".join(jeton.forme for jeton in suite)
        if len(suite) < 3 or lettres.isdigit():
            colles += suite
        else:
            colles.append(Jeton(_ETIREE.sub(r"\1", lettres), suite[0].debut, suite[-1].fin, "collee"))
    return colles


_UNITE = re.compile(r"\d+[a-z]{1,3}|(?![a-z]+[013457]{3,}$)[a-z]+\d{2,}|[a-z]\d|\d+")
"""Ce qui mêle lettres et chiffres sans rien déguiser : `30h`, `ff14`, `v2`. Trois chiffres qui se lisent tous comme des
lettres, derrière une lettre, sont un déguisement (`p4553`)."""


def _sans_leet(jeton: Jeton) -> Jeton:
    if jeton.forme.isalpha() or _UNITE.fullmatch(jeton.forme):
        return jeton
    lue = jeton.forme.translate(_LEET)
    return Jeton(lue, jeton.debut, jeton.fin, "leet", jeton.nom) if lue.isalpha() and len(lue) > 1 else jeton


def _deplier(jeton: Jeton) -> Iterator[Jeton]:
    """Remet un mot de verlan à l'endroit, puis écrit en entier une abréviation de tchat."""
    endroit = _VERLAN.get(jeton.forme)
    if endroit:
        jeton = replace(jeton, forme=endroit, vue="verlan")
    entier = _TCHAT.get(jeton.forme)
    if entier is None:
        yield jeton
    else:
        yield from (replace(jeton, forme=mot, nom=False) for mot in entier.split())


def demasquer(texte: str, pseudonymes: frozenset[str] = frozenset()) -> list[Jeton]:
    """Les jetons de la vue `demasquee`. `pseudonymes` : déjà aplatis par `forme_plate`."""
    jetons = [_sans_leet(jeton) for jeton in _jetons_plats(texte, pseudonymes)]
    return [deplie for jeton in _coller(jetons, texte) for deplie in _deplier(jeton)]


def forme_plate(mot: str) -> str:
    """Un pseudonyme dans la forme où les jetons l'écrivent."""
    return _aplatir(mot)[0].strip(" @!|+")


def sans_invisibles(texte: str) -> str:
    """Le texte en NFKC, privé des caractères qui ne se voient pas : la vue `brute`, pour les identifiants."""
    visible = (c for c in unicodedata.normalize("NFKC", texte) if unicodedata.category(c) not in {"Cf", "Cs", "Mn"})
    return "".join(c for c in visible if c not in _INVISIBLES)
