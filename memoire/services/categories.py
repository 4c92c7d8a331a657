"""Changer le libellé d'une catégorie. Le code, la définition et le nombre ne changent pas (LT-09)."""

import unicodedata
from datetime import datetime

from django.db import connection, transaction

from horizon.models.audit import Action
from horizon.noyau.decision import Acteur
from horizon.noyau.texte import illisible
from horizon.services.audit import tracer
from horizon.services.erreurs import Conflit, Refus
from memoire.models import LibelleCategorie
from memoire.noyau.categories import CATEGORIES
from memoire.selectors import categories as selecteur

LONGUEUR_MAX = 40


def renommer(code: str, libelle: str, *, version: int, par: Acteur, maintenant: datetime) -> None:
    """Pose `libelle` sur une catégorie. `version` est celle que l'appelant a lue (0 : jamais changé).

    `Refus` : catégorie inconnue (404), libellé vide, trop long ou non imprimable, déjà porté par une autre ;
    `Conflit` : un autre l'a changé entre-temps. Le même libellé est sans effet.
    """
    if code not in CATEGORIES:
        raise Refus("categorie_inconnue", "Cette catégorie n’existe pas.", 404)
    propre = _propre(libelle)
    with transaction.atomic():
        _figer()
        lues = {lue.categorie.code: lue for lue in selecteur.toutes()}
        if lues[code].version != version:
            raise Conflit("version", "Ce libellé a changé depuis l’affichage de la page.")
        if lues[code].libelle == propre:
            return
        if any(c != code and lue.libelle.casefold() == propre.casefold() for c, lue in lues.items()):
            raise Refus("libelle_pris", "Une autre catégorie porte déjà ce libellé.")
        LibelleCategorie.objects.update_or_create(code=code, defaults={"libelle": propre, "version": version + 1})
        tracer(Action.LIBELLE_CHANGE, par=par, objet="categorie", objet_id=code, maintenant=maintenant)


def retablir(code: str, *, version: int, par: Acteur, maintenant: datetime) -> None:
    """Revient au libellé d'origine, aux mêmes conditions."""
    origine = CATEGORIES[code].libelle if code in CATEGORIES else ""
    renommer(code, origine, version=version, par=par, maintenant=maintenant)


def _propre(libelle: str) -> str:
    """Le libellé composé, ses blancs ramenés à une espace : deux écritures d'un même mot n'en font qu'une."""
    propre = " ".join(unicodedata.normalize("NFC", libelle).split())
    if illisible(propre) or len(propre) > LONGUEUR_MAX or not propre.isprintable():
        raise Refus("libelle", f"Un libellé compte de 1 à {LONGUEUR_MAX} caractères imprimables.")
    return propre


def _figer() -> None:
    """Un seul changement à la fois : la ligne d'une catégorie jamais renommée n'existe pas, elle ne se verrouille pas.
    Les lectures passent."""
    with connection.cursor() as curseur:
        curseur.execute("LOCK TABLE memoire_libellecategorie IN SHARE ROW EXCLUSIVE MODE")
