"""Absorption : les observations d'une Identité passent à une autre, jour par jour (ID-11)."""

from uuid import UUID

from django.db import connection

from statistiques.noyau.mesures import DISTINCTES
from statistiques.services.rangement import AJOUTER, FONDRE


def absorber(source: UUID, cible: UUID) -> None:
    """Donne à `cible` ce que détient `source`, dans la transaction de l'appelant, qui tient les deux Identités.

    Les lignes d'un même jour fusionnent comme si leurs observations étaient arrivées sous la même Identité.
    """
    with connection.cursor() as curseur:
        for distinctes, fusion in ((False, AJOUTER), (True, FONDRE)):
            curseur.execute(
                f"""INSERT INTO statistiques_observation AS o
                        (identite_id, plateforme, mesure, jour, finalite, instants, reperes)
                    SELECT %s, plateforme, mesure, jour, finalite, instants, reperes FROM statistiques_observation
                    WHERE identite_id = %s AND (mesure = ANY(%s)) = %s ORDER BY plateforme, mesure, jour
                    ON CONFLICT (identite_id, plateforme, mesure, jour) DO UPDATE SET {fusion}""",  # noqa: S608 — textes fixes
                [cible, source, list(DISTINCTES), distinctes],
            )
        curseur.execute(
            """INSERT INTO statistiques_marque (identite_id, empreinte, instant)
               SELECT %s, empreinte, instant FROM statistiques_marque WHERE identite_id = %s ORDER BY empreinte
               ON CONFLICT (identite_id, empreinte) DO NOTHING""",
            [cible, source],
        )
        curseur.execute("DELETE FROM statistiques_observation WHERE identite_id = %s", [source])
        curseur.execute("DELETE FROM statistiques_marque WHERE identite_id = %s", [source])
