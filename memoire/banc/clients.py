"""Les clients du banc : des processus qui envoient tous ensemble et rendent leurs temps. Sans Django, pour que leur
démarrage et leur travail ne pèsent pas sur ce qu'on mesure."""

import http.client
import multiprocessing
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

_CTX = multiprocessing.get_context("spawn")
ATTENTE = 300.0

SQL_BRUT = """INSERT INTO memoire_interaction (plateforme, message_id, etat, espace_id, compte_id, auteur, visibilite,
    contenu, finalite, emis_le, recu_le, expire_a)
SELECT p, m, 'vivante', s, c, 'personne', 'public', t, 'continuite', e, e, f
FROM unnest(%b::text[], %b::text[], %b::bigint[], %b::bigint[], %b::text[], %b::timestamptz[], %b::timestamptz[])
    AS n(p, m, s, c, t, e, f)
ON CONFLICT (plateforme, message_id) DO NOTHING"""


@dataclass(frozen=True)
class Passage:
    """Ce qu'un groupe de clients a fait : durée totale (s), et temps de chaque appel (s), tous clients confondus."""

    duree: float
    temps: list[float]
    refus: int

    def debit(self, par_appel: int) -> float:
        """Éléments par seconde, quand chaque appel en porte `par_appel`."""
        return len(self.temps) * par_appel / self.duree


def ensemble(travail: Callable[..., Any], parts: Sequence[tuple[Any, ...]]) -> Passage:
    """Lance un processus par part ; tous partent au même signal, quand chacun a fini de se préparer."""
    depart, retour = _CTX.Barrier(len(parts)), _CTX.SimpleQueue()
    processus = [_CTX.Process(target=_client, args=(travail, depart, retour, *part), daemon=True) for part in parts]
    for p in processus:
        p.start()
    rendus = [retour.get() for _ in processus]
    for p in processus:
        p.join(ATTENTE)
    debut, fin = min(r[0] for r in rendus), max(r[1] for r in rendus)
    return Passage(fin - debut, [t for r in rendus for t in r[2]], sum(r[3] for r in rendus))


def _client(travail: Callable[..., Any], depart: Any, retour: Any, *part: Any) -> None:
    retour.put(travail(depart, *part))


def envoyer(depart: Any, port: int, chemin: str, cle: str, corps: list[bytes]) -> tuple[float, float, list[float], int]:
    """Un client HTTP à connexion tenue : chaque corps, l'un après l'autre."""
    connexion = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    entetes = {"Authorization": f"Bearer {cle}", "Content-Type": "application/json"}
    temps, refus = [], 0
    connexion.connect()
    depart.wait(ATTENTE)
    debut = time.monotonic()
    for octets in corps:
        t = time.monotonic()
        connexion.request("POST", f"/api/v1/{chemin}", body=octets, headers=entetes)
        reponse = connexion.getresponse()
        rendu = reponse.read()
        temps.append(time.monotonic() - t)
        # Une réponse lue mais refusée ne compte pas comme du travail fait.
        refus += reponse.status != 200 or b'"statut":"invalide"' in rendu or b'"statut":"exclu"' in rendu
    return debut, time.monotonic(), temps, refus


def inserer(depart: Any, acces: dict[str, Any], lots: list[list[list[Any]]]) -> tuple[float, float, list[float], int]:
    """Le plafond : les mêmes lignes, par `unnest` binaire, sans aucune règle. Une transaction durable par lot."""
    temps = []
    with psycopg.connect(**acces, autocommit=True) as connexion, psycopg.Cursor(connexion) as curseur:
        depart.wait(ATTENTE)
        debut = time.monotonic()
        for colonnes in lots:
            t = time.monotonic()
            curseur.execute(SQL_BRUT, colonnes)
            temps.append(time.monotonic() - t)
        return debut, time.monotonic(), temps, 0
