"""Ranger des observations : une insertion par lot, triée par clé ; la clé primaire départage les lots simultanés."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from horizon.binaire import executer
from statistiques.noyau.mesures import A_REPERE, FINALITE


@dataclass(frozen=True, slots=True)
class Observee:
    """Une observation retenue, prête à être rangée."""

    identite: UUID
    plateforme: str
    mesure: str
    instant: datetime
    repere: datetime | None = None


_RANGER = """
INSERT INTO statistiques_observation AS o (identite_id, plateforme, mesure, jour, finalite, instants, reperes)
SELECT i, p, m, (t AT TIME ZONE 'UTC')::date AS j, %b, array_agg(t ORDER BY t, r),
    CASE WHEN m = ANY(%b) THEN array_agg(r ORDER BY t, r) END
FROM unnest(%b::uuid[], %b::text[], %b::text[], %b::timestamptz[], %b::timestamptz[]) AS n(i, p, m, t, r)
GROUP BY i, p, m, j ORDER BY i, p, m, j
ON CONFLICT (identite_id, plateforme, mesure, jour) DO UPDATE SET """

AJOUTER = "instants = o.instants || EXCLUDED.instants, reperes = o.reperes || EXCLUDED.reperes"
"""Chaque instant compte, même égal à un autre : deux messages peuvent naître à la même microseconde."""

FONDRE = """(instants, reperes) = (
    SELECT array_agg(t ORDER BY t), CASE WHEN EXCLUDED.reperes IS NOT NULL THEN array_agg(r ORDER BY t) END
    FROM (SELECT t, max(r) AS r FROM unnest(o.instants || EXCLUDED.instants, o.reperes || EXCLUDED.reperes)
          AS u(t, r) GROUP BY t) AS f)"""
"""Le même instant ne compte qu'une fois ; de deux présences de même début, la plus longue reste."""


def ranger(observees: Collection[Observee], *, distinctes: bool = False) -> None:
    """Range des observations en une requête. `distinctes` : un instant déjà rangé n'est pas ajouté une seconde fois ;
    l'appelant n'y donne alors pas deux fois le même."""
    if not observees:
        return
    executer(
        _RANGER + (FONDRE if distinctes else AJOUTER),
        FINALITE,
        list(A_REPERE),
        [o.identite for o in observees],
        [o.plateforme for o in observees],
        [o.mesure for o in observees],
        [o.instant for o in observees],
        [o.repere for o in observees],
    )
