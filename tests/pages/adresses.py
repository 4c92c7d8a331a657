"""Toutes les adresses du Poste, engendrées depuis le résolveur, avec un objet inexistant quand il en faut un."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.converters import IntConverter

INEXISTANTS = {"uidb36": "zz", "key": "zz-zz", "app_label": "horizon", "url": "nulle-part/", "content_type_id": "1"}


@dataclass(frozen=True)
class Adresse:
    """Un nom d'URL complet, un chemin d'exemple, et si ce chemin désigne un objet qui n'existe pas."""

    nom: str
    chemin: str
    objet: bool


def toutes() -> list[Adresse]:
    """Chaque feuille du résolveur."""
    return list(_parcourir(get_resolver(), "/", ()))


def _parcourir(resolveur: URLResolver, prefixe: str, espaces: tuple[str, ...]) -> Iterator[Adresse]:
    for motif in resolveur.url_patterns:
        chemin = prefixe + _exemple(motif)
        if isinstance(motif, URLResolver):
            suite = (*espaces, motif.namespace) if motif.namespace else espaces
            yield from _parcourir(motif, chemin, suite)
        else:
            nom = ":".join((*espaces, motif.name or "sans_nom"))
            yield Adresse(nom, chemin, bool(motif.pattern.regex.groupindex))


def _exemple(motif: URLPattern | URLResolver) -> str:
    route = str(motif.pattern)
    if motif.pattern.regex.groupindex and "<" in route and not hasattr(motif.pattern, "_route"):
        return _exemple_de_regex(motif)
    for nom, convertisseur in motif.pattern.converters.items():
        valeur = "999999999" if isinstance(convertisseur, IntConverter) else INEXISTANTS.get(nom, "inexistant")
        route = next(route.replace(m, valeur) for m in _balises(route, nom))
    return route


def _balises(route: str, nom: str) -> Iterator[str]:
    for morceau in route.split("<")[1:]:
        balise = morceau.split(">")[0]
        if balise.split(":")[-1] == nom:
            yield f"<{balise}>"


def _exemple_de_regex(motif: URLPattern | URLResolver) -> str:
    noms = set(motif.pattern.regex.groupindex)
    if noms == {"uidb36", "key"}:
        return f"activation/{INEXISTANTS['uidb36']}-{INEXISTANTS['key']}/"
    return "/".join(INEXISTANTS[n] for n in noms).rstrip("/") + "/"
