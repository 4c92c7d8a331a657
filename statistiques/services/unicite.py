"""Ne compter qu'une fois : ce qui porte un identifiant par son empreinte, le reste par son instant (ST-05)."""

import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import connection

from statistiques.services.rangement import Observee

Reperes = dict[tuple[UUID, str, str, datetime], datetime | None]


def empreinte(*parties: str) -> int:
    """Empreinte à clé, sur 64 bits signés. L'unité de séparation (U+001F) ne peut pas figurer dans un identifiant."""
    cle = b"statistiques.unicite" + settings.SECRET_KEY.encode()
    condense = hmac.digest(cle, "\x1f".join(parties).encode(), hashlib.sha256)
    return int.from_bytes(condense[:8], "big", signed=True)


def marquer(marques: Sequence[tuple[UUID, int, datetime]]) -> set[tuple[UUID, int]]:
    """Pose des marques (Identité, empreinte, instant) ; rend celles qui ne l'étaient pas encore. L'index départage."""
    if not marques:
        return set()
    # Le tri est stable : de deux copies dans un même lot, la première gagne.
    tries = sorted(marques, key=lambda marque: marque[:2])
    with connection.cursor() as curseur:
        curseur.execute(
            """INSERT INTO statistiques_marque (identite_id, empreinte, instant)
               SELECT * FROM unnest(%s::uuid[], %s::bigint[], %s::timestamptz[])
               ON CONFLICT (identite_id, empreinte) DO NOTHING RETURNING identite_id, empreinte""",
            [list(colonne) for colonne in zip(*tries, strict=True)],
        )
        return set(curseur.fetchall())


def ecarter_connues(observees: Sequence[Observee]) -> list[bool]:
    """Pour chaque observation, dans l'ordre : vrai si elle apprend quelque chose (instant neuf, présence plus longue).

    Deux lots qui observent la même Identité passent ici l'un après l'autre, jusqu'à la fin de leur transaction.
    """
    if not observees:
        return []
    _attendre_son_tour({o.identite for o in observees})
    connues = _deja_rangees(observees)
    issues = []
    for o in observees:
        cle = (o.identite, o.plateforme, o.mesure, o.instant)
        neuve = cle not in connues or _plus_tard(o.repere, connues[cle])
        if neuve:
            connues[cle] = o.repere
        issues.append(neuve)
    return issues


def _plus_tard(repere: datetime | None, connu: datetime | None) -> bool:
    return repere is not None and (connu is None or repere > connu)


def _attendre_son_tour(identites: set[UUID]) -> None:
    with connection.cursor() as curseur:
        curseur.execute(
            "SELECT FROM horizon_identite WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE", [sorted(identites)]
        )


def _deja_rangees(observees: Sequence[Observee]) -> Reperes:
    with connection.cursor() as curseur:
        curseur.execute(
            """SELECT o.identite_id, o.plateforme, o.mesure, u.t, u.r
               FROM unnest(%s::uuid[], %s::text[], %s::text[], %s::timestamptz[]) AS n(i, p, m, t)
               JOIN statistiques_observation o ON o.identite_id = n.i AND o.plateforme = n.p AND o.mesure = n.m
                   AND o.jour = (n.t AT TIME ZONE 'UTC')::date
               CROSS JOIN LATERAL unnest(o.instants, o.reperes) AS u(t, r) WHERE u.t = n.t""",
            [
                [o.identite for o in observees],
                [o.plateforme for o in observees],
                [o.mesure for o in observees],
                [o.instant for o in observees],
            ],
        )
        return {(i, p, m, t): r for i, p, m, t, r in curseur.fetchall()}
