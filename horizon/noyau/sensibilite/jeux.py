"""Lire un jeu de phrases étiquetées (TSV) : colonnes en tout ordre, noms français ou anglais, surplus ignoré."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from horizon.noyau.sensibilite.avis import Verdict

_NOMS = {
    "text": "texte",
    "texte": "texte",
    "decision": "decision",
    "category": "categorie",
    "categorie": "categorie",
    "difficulty": "difficulte",
    "difficulte": "difficulte",
    "id": "id",
}


class JeuIllisible(ValueError):
    """Le fichier n'a pas la forme attendue ; le message dit où, jamais ce que dit la phrase."""


@dataclass(frozen=True, slots=True)
class Exemple:
    """Une phrase et ce que le garde devrait en dire. `id` : celui du fichier, sinon le numéro de ligne."""

    id: str
    texte: str
    decision: Verdict
    categorie: str = ""
    difficulte: str = ""


def _colonnes(entete: str) -> dict[str, int]:
    noms = [nom.strip().lstrip("\ufeff").lower() for nom in entete.split("\t")]
    colonnes = {_NOMS[nom]: rang for rang, nom in reversed(list(enumerate(noms))) if nom in _NOMS}
    manquantes = {"texte", "decision"} - set(colonnes)
    if manquantes:
        raise JeuIllisible(f"Colonne absente de l’en-tête : {', '.join(sorted(manquantes))}.")
    return colonnes


def _exemple(numero: int, champs: list[str], colonnes: dict[str, int]) -> Exemple:
    def lire(nom: str) -> str:
        rang = colonnes.get(nom, len(champs))
        return champs[rang].strip() if rang < len(champs) else ""

    try:
        decision = Verdict(lire("decision").lower())
    except ValueError:
        raise JeuIllisible(f"Ligne {numero} : décision inconnue.") from None
    categorie = lire("categorie").lower()
    rang = colonnes["texte"]
    return Exemple(
        id=lire("id") or f"ligne-{numero}",
        texte=champs[rang] if rang < len(champs) else "",
        decision=decision,
        categorie="" if categorie in {"-", "aucune", "none"} else categorie,
        difficulte=lire("difficulte").lower(),
    )


def lire_lignes(lignes: Iterable[str]) -> list[Exemple]:
    """Les exemples de ces lignes, en-tête comprise. Lève `JeuIllisible`."""
    pleines = [(rang, ligne.rstrip("\r\n")) for rang, ligne in enumerate(lignes, 1) if ligne.strip()]
    if not pleines:
        raise JeuIllisible("Fichier vide.")
    colonnes = _colonnes(pleines[0][1])
    return [_exemple(rang, ligne.split("\t"), colonnes) for rang, ligne in pleines[1:]]


def lire_jeu(chemin: Path) -> list[Exemple]:
    """Les exemples d'un fichier TSV en UTF-8. Lève `JeuIllisible` ou `OSError`."""
    try:
        texte = chemin.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise JeuIllisible("Le fichier n’est pas en UTF-8.") from None
    return lire_lignes(texte.split("\n"))
