"""Noter qu'un compte vient de parler, et sous quel pseudonyme. Rien n'est écrit quand rien n'a changé."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from horizon.binaire import executer
from horizon.services.reconnaissance import CompteConnu

FRAICHEUR = timedelta(hours=1)
"""La suppression à 30 jours se contente d'une dernière interaction juste à une heure près."""


def noter_passage(vus: Iterable[tuple[CompteConnu, str, datetime]], *, maintenant: datetime) -> None:
    """Note la dernière interaction et le pseudonyme de comptes sous verrou : suite de (compte, pseudonyme, émis le).

    Un pseudonyme n'en remplace un autre que s'il est plus récent ; l'ancien est gardé pour être masqué (ID-05).
    """
    a_dater, derniers = set(), dict[int, tuple[str, datetime, str]]()
    for compte, pseudonyme, emis_le in vus:
        if compte.derniere_interaction is None or compte.derniere_interaction < maintenant - FRAICHEUR:
            a_dater.add(compte.id)
        if pseudonyme and (compte.id not in derniers or derniers[compte.id][1] <= emis_le):
            derniers[compte.id] = (pseudonyme, emis_le, compte.pseudonyme)
    _dater(sorted(a_dater), maintenant)
    _renommer({pk: (neuf, emis_le) for pk, (neuf, emis_le, connu) in derniers.items() if neuf != connu})


def _dater(comptes: list[int], maintenant: datetime) -> None:
    if comptes:
        executer(
            """UPDATE horizon_compte SET derniere_interaction = %b
               WHERE id = ANY(ARRAY(SELECT id FROM horizon_compte WHERE id = ANY(%b)
                   AND (derniere_interaction IS NULL OR derniere_interaction < %b)
                   ORDER BY id FOR NO KEY UPDATE))""",
            maintenant,
            comptes,
            maintenant - FRAICHEUR,
        )


def _renommer(derniers: dict[int, tuple[str, datetime]]) -> None:
    """Relit chaque compte sous verrou : un autre lot a pu le renommer depuis, plus récemment."""
    tries = sorted(derniers)
    if tries:
        executer(
            """WITH vus AS (
                   SELECT * FROM unnest(%b::bigint[], %b::text[], %b::timestamptz[]) AS t(id, pseudonyme, emis_le)),
               anciens AS (
                   SELECT c.id, c.pseudonyme, v.pseudonyme AS nouveau, v.emis_le
                   FROM horizon_compte c JOIN vus v USING (id)
                   WHERE c.pseudonyme <> v.pseudonyme AND (c.pseudonyme_vu_le IS NULL OR c.pseudonyme_vu_le < v.emis_le)
                   ORDER BY c.id FOR NO KEY UPDATE OF c),
               changes AS (UPDATE horizon_compte c SET pseudonyme = a.nouveau, pseudonyme_vu_le = a.emis_le
                   FROM anciens a WHERE c.id = a.id)
               INSERT INTO horizon_ancienpseudonyme (compte_id, pseudonyme, remplace_le)
               SELECT id, pseudonyme, emis_le FROM anciens WHERE pseudonyme <> ''""",
            tries,
            [derniers[c][0] for c in tries],
            [derniers[c][1] for c in tries],
        )
