"""Lectures de la mémoire courte. Chacune filtre l'expiration elle-même : l'effacement peut tarder, pas l'oubli."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection
from django.db.models import Exists, Min, OuterRef, QuerySet
from django.db.models.functions import Least

from horizon.binaire import executer
from horizon.models import Compte
from memoire.models import Barriere, Interaction
from memoire.noyau.projection import Recent

RECENTS_MAX = 200


def vivantes(maintenant: datetime) -> QuerySet[Interaction]:
    """Interactions visibles à cet instant. Toute lecture part d’ici, sauf `recents`, qui filtre de même à la main."""
    return Interaction.objects.filter(etat=Interaction.Etat.VIVANTE, expire_a__gt=maintenant)


_RECENTS = """
SELECT contenu, auteur, emis_le, reponse_a FROM memoire_interaction m
WHERE compte_id = %b AND espace_id = %b AND visibilite = %b AND etat = 'vivante' AND expire_a > %b
  AND NOT (auteur = 'poubelle' AND EXISTS (
    SELECT 1 FROM memoire_interaction q
    WHERE q.plateforme = m.plateforme AND q.message_id = m.reponse_a AND q.etat = 'supprimee'))
ORDER BY emis_le DESC, id DESC LIMIT %b"""


@dataclass(frozen=True, slots=True)
class Ici:
    """Une Personne (par son compte) dans un espace, à cette visibilité, à cet instant."""

    compte_id: int
    espace_id: int
    visibilite: str
    maintenant: datetime


def recents(ici: Ici) -> list[Recent]:
    """Échanges d'une Personne nés dans cet espace, du plus récent au plus ancien (200 au plus).

    Une réponse dont la question est supprimée est écartée à la lecture : les deux ont pu arriver en même temps.
    """
    lieu = (ici.compte_id, ici.espace_id, ici.visibilite, ici.maintenant)
    return [Recent(*ligne) for ligne in executer(_RECENTS, *lieu, RECENTS_MAX)]


def retard(maintenant: datetime) -> timedelta:
    """Âge du plus vieux contenu expiré encore dans la table (zéro si aucun)."""
    plus_vieux = Interaction.objects.filter(expire_a__lte=maintenant).aggregate(m=Min("expire_a"))["m"]
    return maintenant - plus_vieux if plus_vieux else timedelta(0)


def raccourcies_par(duree: timedelta, maintenant: datetime) -> int:
    """Combien d'interactions visibles seraient effacées tout de suite si la durée devenait `duree`."""
    return vivantes(maintenant).alias(debut=Least("emis_le", "recu_le")).filter(debut__lte=maintenant - duree).count()


def identites_avec_contenu(identites: Collection[UUID]) -> set[UUID]:
    """Identités de la liste dont un compte a encore une interaction, même expirée et pas encore effacée."""
    contenu = Interaction.objects.filter(compte_id=OuterRef("pk"), etat=Interaction.Etat.VIVANTE)
    comptes = Compte.objects.filter(identite_id__in=list(identites)).filter(Exists(contenu))
    return {pk for pk in comptes.values_list("identite_id", flat=True) if pk}


def avec_contenu_avant(lignes: Sequence[tuple[int, int, datetime]]) -> set[int]:
    """Parmi des (clé, compte, instant), les clés dont le compte a encore une interaction émise avant l'instant."""
    with connection.cursor() as curseur:
        curseur.execute(
            """SELECT v.k FROM unnest(%s::bigint[], %s::bigint[], %s::timestamptz[]) AS v(k, c, t) WHERE EXISTS (
                   SELECT 1 FROM memoire_interaction i
                   WHERE i.compte_id = v.c AND i.etat = 'vivante' AND i.emis_le < v.t)""",
            [list(colonne) for colonne in zip(*lignes, strict=True)],
        )
        return {ligne[0] for ligne in curseur.fetchall()}


def espaces_tenus(espaces: Collection[int]) -> set[int]:
    """Espaces de la liste ayant encore une interaction ou une barrière."""
    ids = list(espaces)
    vivants = Interaction.objects.filter(etat=Interaction.Etat.VIVANTE, espace_id__in=ids)
    barrieres = Barriere.objects.filter(espace_id__in=ids).values_list("espace_id", flat=True)
    return {*barrieres, *(e for e in vivants.values_list("espace_id", flat=True).distinct() if e)}
