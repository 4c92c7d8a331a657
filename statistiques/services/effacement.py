"""Effacer ce qui est sorti de la fenêtre, à l'instant près, par lots bornés (ST-04)."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from horizon.noyau.temps import trois_mois_avant

LOT = 10_000

_SORTIES = "jour < %s OR (jour = %s AND %s >= ALL (instants))"
_ROGNER = """UPDATE statistiques_observation AS o SET (instants, reperes) = (
    SELECT array_agg(t ORDER BY t), CASE WHEN o.reperes IS NOT NULL THEN array_agg(r ORDER BY t) END
    FROM unnest(o.instants, o.reperes) AS u(t, r) WHERE t > %s)"""


def purger(maintenant: datetime) -> int:
    """Efface observations, marques et directs sortis de la fenêtre ; rend le nombre de lignes effacées ou rognées.

    Une ligne à cheval sur la borne perd ses seuls instants sortis. Une présence sort avec son début. Un direct sort
    avec sa dernière borne connue : une arrivée retenue a déjà pris de lui ce qu'il lui faut.
    """
    limite = trois_mois_avant(maintenant)
    jour = limite.astimezone(UTC).date()
    # Toute ligne entièrement sortie part d'abord : rogner ne laisse donc jamais une ligne vide.
    return (
        _par_lots("DELETE FROM statistiques_observation", [], _SORTIES, [jour, jour, limite])
        + _par_lots(_ROGNER, [limite], "jour = %s AND %s >= ANY (instants)", [jour, limite])
        + _par_lots("DELETE FROM statistiques_marque", [], "instant <= %s", [limite])
        + _par_lots("DELETE FROM statistiques_direct", [], "GREATEST(debut, fin) <= %s", [limite])
    )


def oublier(identite: UUID, jusqu_a: datetime) -> None:
    """Efface tout ce qui fut observé d'une Identité jusqu'à un instant, dans la transaction de l'appelant (DR-04)."""
    with connection.cursor() as curseur:
        curseur.execute(
            "DELETE FROM statistiques_observation WHERE identite_id = %s AND %s >= ALL (instants)", [identite, jusqu_a]
        )
        curseur.execute(_ROGNER + " WHERE identite_id = %s AND %s >= ANY (instants)", [jusqu_a, identite, jusqu_a])
        curseur.execute("DELETE FROM statistiques_marque WHERE identite_id = %s AND instant <= %s", [identite, jusqu_a])


def _par_lots(acte: str, valeurs: list[Any], condition: str, bornes: list[Any]) -> int:
    """Lots successifs, chacun sa transaction ; `SKIP LOCKED` laisse deux passes avancer sans s'attendre."""
    table = next(mot for mot in acte.split() if mot.startswith("statistiques_"))
    total = 0
    while True:
        with transaction.atomic(), connection.cursor() as curseur:
            curseur.execute(
                f"""{acte} WHERE ctid = ANY(ARRAY(SELECT ctid FROM {table} WHERE {condition}
                    LIMIT %s FOR UPDATE SKIP LOCKED))""",  # noqa: S608 — textes fixes
                [*valeurs, *bornes, LOT],
            )
            touchees = curseur.rowcount
        total += touchees
        if touchees < LOT:
            return total
