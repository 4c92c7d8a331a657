"""Lire un corps : strictement, élément par élément, en ne retenant d'une faute que son chemin et son code."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC
from typing import Annotated, Any, TypeVar, get_args

import msgspec

from horizon.api.erreurs import CorpsFautif
from horizon.noyau.evenements import LOT_MAX, Champ, Evenement, Identifiant, Instant, Resultat
from horizon.noyau.natif import ChargeFautive, Etiquette

T = TypeVar("T")
EPOQUE, FIN_D_EPOQUE = 2000, 2200
"""Années entre lesquelles un instant a un sens ici."""
_CHEMIN = re.compile(r" - at `([^`]*)`$")
_MANQUANT = re.compile(r"^Object missing required field `([^`]*)`")
_MANQUE = "Un champ manque ou n’a pas la forme attendue."
_ILLISIBLE = (msgspec.DecodeError, UnicodeDecodeError, ValueError, RecursionError)


class Enveloppe(msgspec.Struct):
    """Corps de `POST evenements/` : chaque élément est gardé brut, lu ensuite pour lui-même."""

    evenements: Annotated[list[msgspec.Raw], msgspec.Meta(min_length=1, max_length=LOT_MAX)]


class _Nomme(msgspec.Struct):
    id: Identifiant


_INSTANTS = {
    forme: tuple(nom for nom, annotation in forme.__annotations__.items() if annotation in (Instant, Instant | None))
    for forme in get_args(Evenement)
}
"""Les champs datés de chaque forme d'événement."""
_decodeur_enveloppe = msgspec.json.Decoder(Enveloppe)
_decodeur_evenement = msgspec.json.Decoder(Evenement)


_BORNE = re.compile(r"^Expected `\w+` (?:of length )?[<>]=? ?\d")
"""Ce que dit la bibliothèque d'un nombre ou d'une longueur hors de ses bornes : la borne, jamais la valeur."""


def faute(erreur: Exception) -> Champ:
    """Chemin et code d'une faute de forme ; le message de la bibliothèque, qui peut citer une valeur, est jeté.

    Un champ manquant est nommé par la forme attendue, jamais par le corps reçu.
    """
    trouve, manquant = _CHEMIN.search(str(erreur)), _MANQUANT.search(str(erreur))
    chemin = trouve.group(1).removeprefix("$").lstrip(".") if trouve else ""
    if manquant:
        return Champ(chemin=f"{chemin}.{manquant.group(1)}".lstrip("."), code="manquant")
    return Champ(chemin=chemin, code="hors_bornes" if _BORNE.search(str(erreur)) else "forme")


def lire(forme: type[T], corps: Any) -> T:
    """Le corps lu dans la forme attendue ; lève `CorpsFautif` (400)."""
    with fautes():
        return msgspec.json.decode(octets(corps), type=forme)


@contextmanager
def fautes() -> Iterator[None]:
    """Traduit toute faute de lecture en `CorpsFautif` (400)."""
    try:
        yield
    except ChargeFautive as erreur:
        raise CorpsFautif(_MANQUE, [Champ(erreur.chemin, "manquant")]) from None
    except msgspec.ValidationError as erreur:
        raise CorpsFautif(_MANQUE, [faute(erreur)]) from None
    except _ILLISIBLE:
        raise CorpsFautif("Le corps n’est pas du JSON lisible.") from None


def octets(corps: Any) -> bytes:
    """Les octets du corps reçu ; vides s'il n'y en a pas."""
    return corps if isinstance(corps, bytes) else b""


def lire_etiquette(parametres: Mapping[str, str]) -> Etiquette:
    """Étiquette d'un message de P.O.U.B.E.L.L.E., dans la chaîne de requête ; le reste de celle-ci est ignoré."""
    connus = {nom: parametres[nom] for nom in Etiquette.__struct_fields__ if nom in parametres}
    return msgspec.convert(connus, Etiquette)


def lire_evenements(corps: Any) -> list[Evenement | Resultat]:
    """Événements du lot, dans l'ordre ; un élément fautif est rendu comme `Resultat` invalide."""
    return [_lire_un(brut) for brut in _elements(octets(corps))]


def _elements(corps: bytes) -> list[bytes]:
    try:
        return [bytes(brut) for brut in _decodeur_enveloppe.decode(corps).evenements]
    except msgspec.ValidationError as erreur:
        raise CorpsFautif(f"L’enveloppe attend « evenements » : 1 à {LOT_MAX} éléments.", [faute(erreur)]) from None
    except _ILLISIBLE:
        return _elements_un_a_un(corps)


def _elements_un_a_un(corps: bytes) -> list[bytes]:
    """Un demi-codet isolé rend le lot illisible d'un bloc : relu plus largement, seul le fautif est écarté."""
    try:
        enveloppe = json.loads(corps.decode("utf-8"), parse_constant=_refuser_constante)
        evenements = enveloppe["evenements"]
        bruts = [json.dumps(e).encode() for e in evenements] if isinstance(evenements, list) else []
    except (ValueError, RecursionError, TypeError, KeyError):
        raise CorpsFautif("Le corps n’est pas du JSON lisible.") from None
    if not 1 <= len(bruts) <= LOT_MAX:
        raise CorpsFautif(f"L’enveloppe attend « evenements » : 1 à {LOT_MAX} éléments.")
    return bruts


def _refuser_constante(_: str) -> None:
    raise ValueError("NaN et les infinis ne sont pas du JSON")


def _lire_un(brut: bytes) -> Evenement | Resultat:
    try:
        return _en_utc(_decodeur_evenement.decode(brut))
    except msgspec.ValidationError as erreur:
        champ = faute(erreur)
        motif = "type_inconnu" if champ.chemin == "type" and champ.code == "forme" else "forme"
        return Resultat(id=_nom(brut), statut="invalide", motif=motif, champs=[champ])
    except _HorsDuTemps as erreur:
        return Resultat(id=_nom(brut), statut="invalide", motif="forme", champs=[Champ(erreur.champ, "forme")])
    except _ILLISIBLE:
        return Resultat(id=None, statut="invalide", motif="texte_illisible")


class _HorsDuTemps(Exception):
    """Instant bien formé, mais hors de toute époque utile."""

    def __init__(self, champ: str) -> None:
        super().__init__("hors_du_temps")
        self.champ = champ


def _en_utc(evenement: Evenement) -> Evenement:
    """L'événement avec ses instants en UTC : la base ne connaît pas tous les décalages que RFC 3339 permet."""
    changes = {}
    for champ in _INSTANTS[type(evenement)]:
        valeur = getattr(evenement, champ)
        if valeur is None:
            continue
        if not EPOQUE <= valeur.year < FIN_D_EPOQUE:
            raise _HorsDuTemps(champ)
        if valeur.tzinfo is not UTC:
            changes[champ] = valeur.astimezone(UTC)
    return msgspec.structs.replace(evenement, **changes) if changes else evenement


def _nom(brut: bytes) -> str | None:
    """Identifiant de l'élément fautif, s'il est lui-même bien formé."""
    try:
        return msgspec.json.decode(brut, type=_Nomme).id
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
