"""La matière du banc : des corps d'événements, des lignes brutes, une population. Inventée, et toujours la même."""

import json
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from django.db import connection

from horizon.models import Compte, Espace

AUTEURS_PAR_LOT = 100
ESPACE = "900100"
PHRASES = (
    "bonsoir l’équipage, la benne a bien dormi ?",
    "quelqu’un a vu passer le raid de tout à l’heure",
    "mdr le saut raté à la fin, on le refait demain",
    "je reviens dans cinq minutes, gardez-moi une place sur le pont",
    "gg à tous, troisième boss et aucune mort, c’est propre",
)
_numeros = count()


class Matiere:
    """Engendre corps et lignes aux identifiants toujours neufs, sur `identites` comptes connus d'un salon public."""

    def __init__(self, identites: int) -> None:
        self.identites = identites
        self.espace_id = Espace.objects.get(plateforme="twitch", externe_id=ESPACE).pk
        self.comptes = dict(Compte.objects.filter(plateforme="twitch").values_list("externe_id", "pk"))

    def corps(self, taille: int, instant: datetime) -> bytes:
        """Un lot de `taille` messages neufs, prêt à poster."""
        return json.dumps({"evenements": [self._message(instant) for _ in range(taille)]}).encode()

    def _message(self, instant: datetime) -> dict[str, Any]:
        n = next(_numeros)
        auteur = n % self.identites
        return {
            "type": "message",
            "id": f"banc-{n:012d}",
            "plateforme": "twitch",
            "espace": {"id": ESPACE, "visibilite": "public"},
            "auteur": {"id": str(auteur), "pseudonyme": f"membre{auteur}", "nature": "personne"},
            "nature": "conversation",
            "contenu": PHRASES[n % len(PHRASES)],
            "emis_le": instant.isoformat(),
        }

    def lignes(self, taille: int, instant: datetime) -> list[list[Any]]:
        """Les colonnes de `taille` lignes neuves, pour le plafond."""
        numeros = [next(_numeros) for _ in range(taille)]
        return [
            ["twitch"] * taille,
            [f"banc-{n:012d}" for n in numeros],
            [self.espace_id] * taille,
            [self.comptes[str(n % self.identites)] for n in numeros],
            [PHRASES[n % len(PHRASES)] for n in numeros],
            [instant] * taille,
            [instant + timedelta(hours=24)] * taille,
        ]


def peupler_comptes(nombre: int, maintenant: datetime) -> None:
    """Des comptes Twitch numérotés et leurs Identités ; une sur dix est revendiquée (ses messages sont observés)."""
    with connection.cursor() as curseur:
        curseur.execute(
            """WITH neuves AS (
                   INSERT INTO horizon_identite (id, epoque, creee_le, revendiquee_le)
                   SELECT gen_random_uuid(), 0, %(m)s, CASE WHEN n %% 10 = 0 THEN %(m)s::timestamptz END
                   FROM generate_series(0, %(n)s - 1) n RETURNING id),
               rangees AS (SELECT id, row_number() OVER () - 1 AS n FROM neuves)
               INSERT INTO horizon_compte (plateforme, externe_id, nature, identite_id, pseudonyme, pseudonyme_vu_le,
                   derniere_interaction)
               SELECT 'twitch', n::text, 'personne', id, 'membre' || n, %(m)s, %(m)s FROM rangees""",
            {"n": nombre, "m": maintenant},
        )
        curseur.execute("ANALYZE horizon_identite, horizon_compte")


def peupler_interactions(nombre: int, prefixe: str, instant: datetime, expire_a: datetime) -> None:
    """`nombre` interactions vivantes de plus, réparties sur tous les comptes, émises dans l'heure avant `instant`."""
    with connection.cursor() as curseur:
        curseur.execute(
            """INSERT INTO memoire_interaction (plateforme, message_id, etat, espace_id, compte_id, auteur, visibilite,
                   contenu, finalite, emis_le, recu_le, expire_a)
               SELECT 'twitch', %(prefixe)s || n, 'vivante', s.id, c.ids[1 + n %% cardinality(c.ids)], 'personne',
                   'public', repeat('mot ', 12) || n, 'continuite', %(i)s - n %% 3600 * interval '1 second', %(i)s,
                   %(e)s
               FROM generate_series(1, %(n)s) n,
                   (SELECT array_agg(id) AS ids FROM horizon_compte WHERE plateforme = 'twitch') c,
                   (SELECT id FROM horizon_espace WHERE externe_id = %(espace)s) s""",
            {"n": nombre, "prefixe": prefixe, "i": instant, "e": expire_a, "espace": ESPACE},
        )
