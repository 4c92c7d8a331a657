"""Le petit langage des motifs : ce qu'un humain peut relire, et qui ne peut pas s'emballer.

    diabet*                 un mot qui commence ainsi
    vote|voter a gauche     des mots qui se suivent, `|` sépare les formes d'un même mot
    voit un|une psy*        …
    gagne ~ euros           `~` : de zéro à trois mots quelconques
    habite #                `#` : un nombre
    @proche                 une liste nommée de `listes.toml` ; `@nom` : un nom propre ou un pseudonyme

Les mots sont ceux de la vue démasquée : minuscules, sans accents, l'apostrophe sépare.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from horizon.noyau.sensibilite.vues import Jeton

_SAUT = 3
_CLE = 3


class MotifFautif(ValueError):
    """Un motif qu'on ne sait pas lire. Ne peut venir que d'un fichier de règles, jamais d'un texte examiné."""


@dataclass(frozen=True, slots=True)
class Place:
    """Ce qu'un mot du motif admet. `saut` : la place qui suit peut être trois mots plus loin."""

    mots: frozenset[str]
    debuts: tuple[str, ...]
    nombre: bool = False
    nom: bool = False
    saut: bool = False

    def admet(self, jeton: Jeton) -> bool:
        """Vrai si ce jeton convient à cette place."""
        if jeton.forme in self.mots or (self.debuts and jeton.forme.startswith(self.debuts)):
            return True
        return (self.nombre and jeton.forme[0].isdigit()) or (self.nom and jeton.nom)


@dataclass(frozen=True, slots=True)
class Motif:
    """Un motif lu. `source` : la ligne d'où il vient."""

    source: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Trouvaille:
    """Un motif reconnu, du jeton `debut` inclus au jeton `fin` exclu."""

    nom: str
    motif: str
    debut: int
    fin: int


def _formes(element: str, listes: Mapping[str, Sequence[str]]) -> Iterable[str]:
    for forme in element.split("|"):
        if forme.startswith("@") and forme != "@nom":
            if forme[1:] not in listes:
                raise MotifFautif(f"liste inconnue : {forme}")
            yield from listes[forme[1:]]
        elif not forme:
            raise MotifFautif(f"forme vide : {element}")
        else:
            yield forme


def _place(element: str, listes: Mapping[str, Sequence[str]], saut: bool) -> Place:
    formes = list(_formes(element, listes))
    return Place(
        mots=frozenset(forme for forme in formes if forme not in {"#", "@nom"} and not forme.endswith("*")),
        debuts=tuple(sorted({forme[:-1] for forme in formes if forme.endswith("*")})),
        nombre="#" in formes,
        nom="@nom" in formes,
        saut=saut,
    )


def lire_motif(source: str, listes: Mapping[str, Sequence[str]]) -> Motif:
    """Le motif écrit sur une ligne. Lève `MotifFautif` s'il est vide ou commence par un saut."""
    elements = source.split()
    places = []
    for rang, element in enumerate(elements):
        if element != "~":
            places.append(_place(element, listes, rang > 0 and elements[rang - 1] == "~"))
    if not places or elements[0] == "~" or elements[-1] == "~":
        raise MotifFautif(f"motif sans début ou sans fin : {source!r}")
    return Motif(source, tuple(places))


def _suite(motif: Motif, jetons: Sequence[Jeton], rang: int, place: int) -> int:
    """Le rang après le dernier jeton de la suite du motif, ou -1."""
    if place == len(motif.places):
        return rang
    attendue = motif.places[place]
    limite = rang + (_SAUT if attendue.saut else 0)
    for essai in range(rang, min(limite, len(jetons) - 1) + 1):
        if attendue.admet(jetons[essai]):
            fin = _suite(motif, jetons, essai + 1, place + 1)
            if fin >= 0:
                return fin
    return -1


class Repertoire:
    """Des motifs indexés par leur première place : chercher ne coûte que les candidats du mot lu."""

    def __init__(self) -> None:
        self._mots: dict[str, list[tuple[str, Motif]]] = defaultdict(list)
        self._debuts: dict[str, list[tuple[str, Motif]]] = defaultdict(list)
        self._autres: list[tuple[str, Motif]] = []

    def ajouter(self, nom: str, motif: Motif) -> None:
        """Range `motif` sous `nom`."""
        premiere = motif.places[0]
        for mot in premiere.mots:
            self._mots[mot].append((nom, motif))
        for debut in premiere.debuts:
            self._debuts[debut[:_CLE]].append((nom, motif))
        if premiere.nombre or premiere.nom:
            self._autres.append((nom, motif))

    def _candidats(self, jeton: Jeton) -> Iterable[tuple[str, Motif]]:
        yield from self._mots.get(jeton.forme, ())
        for longueur in range(1, min(_CLE, len(jeton.forme)) + 1):
            yield from self._debuts.get(jeton.forme[:longueur], ())
        if jeton.nom or jeton.forme[0].isdigit():
            yield from self._autres

    def chercher(self, jetons: Sequence[Jeton]) -> list[Trouvaille]:
        """Toutes les occurrences, une par nom et par rang de départ, dans l'ordre du texte."""
        trouvailles: dict[tuple[str, int], Trouvaille] = {}
        for rang, jeton in enumerate(jetons):
            for nom, motif in self._candidats(jeton):
                if (nom, rang) in trouvailles or not motif.places[0].admet(jeton):
                    continue
                fin = _suite(motif, jetons, rang + 1, 1)
                if fin >= 0:
                    trouvailles[nom, rang] = Trouvaille(nom, motif.source, rang, fin)
        return list(trouvailles.values())
