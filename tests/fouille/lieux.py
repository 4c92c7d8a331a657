"""Tous les lieux où une donnée peut rester : base, export, fichiers bruts, file et cache, journaux, témoins.

Chaque lieu rend des octets ; `trouver` y cherche un mot sous toutes ses formes et dit où et comment il s'y cache.
"""

import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from django.db import connection

from horizon.embarque import binaires, postgres
from tests.fouille.decodeur import chercher
from tests.fouille.pages import valeurs, valeurs_sans_alignement

Octets = Iterable[tuple[str, bytes]]
CATALOGUES = ("pg_statistic", "pg_statistic_ext_data", "pg_largeobject", "pg_stat_activity")
"""Ce que PostgreSQL note de lui-même : les statistiques d'une colonne en citent des valeurs."""


def trouver(mot: str, *lieux: Octets) -> list[str]:
    """« lieu : forme » de chaque endroit où le mot se lit encore."""
    return [f"{nom} : {forme}" for lieu in lieux for nom, octets in lieu if (forme := chercher(octets, mot))]


def base() -> Octets:
    """Chaque ligne de chaque table, vue de cette connexion, et ce que les catalogues peuvent citer."""
    with connection.cursor() as curseur:
        curseur.execute(
            "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname !~ '^(pg_|information_)'"
        )
        tables = [nom for (nom,) in curseur.fetchall()]
        for table in [*tables, *CATALOGUES]:
            ou = " WHERE datname = current_database() AND pid <> pg_backend_pid()" if "activity" in table else ""
            curseur.execute(f"SELECT t::text FROM {table} AS t{ou}")
            for (ligne,) in curseur.fetchall():
                yield table, ligne.encode()


def export() -> Octets:
    """Un `pg_dump` complet, gros objets compris ; ne voit que ce qui est validé."""
    acces = postgres.parametres(settings.DONNEES)
    outil = binaires.trouver(settings.DONNEES) / "pg_dump"
    adresse = ["-h", acces.hote, "-p", str(acces.port), "-U", acces.utilisateur]
    commande = [str(outil), *adresse, "--large-objects", str(connection.settings_dict["NAME"])]
    lignes = subprocess.run(commande, capture_output=True, check=True).stdout.splitlines()
    yield from (("pg_dump", ligne) for ligne in dict.fromkeys(lignes))


def position_du_journal() -> int:
    """Où en est le journal des transactions, en octets."""
    with connection.cursor() as curseur:
        curseur.execute("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")
        return int(curseur.fetchone()[0])


def fichiers(table: str = "") -> Octets:
    """Les fichiers des tables, index et TOAST de cette base (ou d'une table), lignes mortes et valeurs compressées
    comprises."""
    with connection.cursor() as curseur:
        curseur.execute("CHECKPOINT")
        curseur.execute(
            """SELECT relname, pg_relation_filepath(c.oid) FROM pg_class c
               WHERE c.oid >= 16384 AND pg_relation_filepath(c.oid) IS NOT NULL
                 AND (%s = '' OR c.oid = to_regclass(%s)
                      OR c.oid = (SELECT reltoastrelid FROM pg_class WHERE oid = to_regclass(%s)))""",
            [table, table or None, table or None],
        )
        relations = curseur.fetchall()
    for nom, chemin in relations:
        for fichier in _segments(settings.DONNEES / "postgres" / chemin):
            yield from _deplie(f"fichier de {nom}", fichier.read_bytes(), valeurs)


def _segments(fichier: Path) -> Iterator[Path]:
    yield from (f for f in (fichier, *fichier.parent.glob(f"{fichier.name}.*")) if f.is_file())


def journal_des_transactions(depuis: int, jusqu_a: int) -> Octets:
    """Le WAL écrit entre deux positions : ce que PostgreSQL garde jusqu'à recycler le segment."""
    segment = 16 * 1024 * 1024
    for rang in range(depuis // segment, jusqu_a // segment + 1):
        fichier = settings.DONNEES / "postgres" / "pg_wal" / f"00000001{rang // 256:08X}{rang % 256:08X}"
        utile = fichier.read_bytes()[max(0, depuis - rang * segment) : jusqu_a - rang * segment]
        yield from _deplie("wal", utile, valeurs_sans_alignement)


def _deplie(nom: str, octets: bytes, relire: Any) -> Octets:
    yield nom, octets
    yield f"{nom}, valeurs compressées", b"\n".join(relire(octets))


def file_et_cache() -> Octets:
    """Chaque clé de chaque base de la file, quel que soit son type."""
    for numero in range(16):
        client: Any = redis.Redis.from_url(f"{settings.REDIS_URL}?db={numero}")
        for cle in client.scan_iter():
            yield f"file, base {numero}", cle + b"\n" + _valeur(client, cle)
        client.close()


def _valeur(client: Any, cle: bytes) -> bytes:
    lectures: dict[bytes, Any] = {
        b"string": lambda: [client.get(cle)],
        b"list": lambda: client.lrange(cle, 0, -1),
        b"set": lambda: client.smembers(cle),
        b"zset": lambda: client.zrange(cle, 0, -1),
        b"hash": lambda: [o for paire in client.hgetall(cle).items() for o in paire],
        b"stream": lambda: [o for _, champs in client.xrange(cle) for paire in champs.items() for o in paire],
    }
    return b"\n".join(o or b"" for o in lectures[client.type(cle)]())


def dossier(racine: Path, *, sauf: tuple[str, ...] = ()) -> Octets:
    """Chaque fichier sous un dossier : journaux, journal de commandes de la file, profil d'un navigateur."""
    for ici, _, noms in os.walk(racine):
        for nom in noms:
            fichier = Path(ici) / nom
            if fichier.is_file() and not any(ecarte in str(fichier) for ecarte in sauf):
                yield str(fichier.relative_to(racine)), fichier.read_bytes()


def journaux() -> Octets:
    """Les journaux de PostgreSQL, de la file et des programmes, et le journal de commandes de la file."""
    return dossier(settings.DONNEES, sauf=("/postgres/", "/valkey/temp", ".verrou", "/binaires"))


def temoins(client: Any) -> Octets:
    """Les témoins d'un client d'essai, et sa session telle que le serveur la garde."""
    yield "témoins", client.cookies.output().encode()


def reponses(*rendues: Any) -> Octets:
    """Ce que des réponses ont montré, en-têtes compris."""
    for reponse in rendues:
        entetes = "\n".join(f"{nom}: {valeur}" for nom, valeur in reponse.items())
        yield f"réponse {reponse.status_code}", entetes.encode() + b"\n\n" + reponse.content


DANS_LE_NAVIGATEUR = """async () => {
  const bases = await Promise.all((await indexedDB.databases()).map(b => new Promise(fait => {
    const demande = indexedDB.open(b.name);
    demande.onsuccess = async () => {
      const lus = [b.name];
      for (const magasin of demande.result.objectStoreNames) await new Promise(fini => {
        const tout = demande.result.transaction(magasin).objectStore(magasin).getAll();
        tout.onsuccess = () => { lus.push(JSON.stringify(tout.result)); fini(); };
      });
      demande.result.close(); fait(lus.join());
    };
  })));
  const caches_ = [];
  for (const nom of await caches.keys()) {
    const ouvert = await caches.open(nom);
    for (const demande of await ouvert.keys())
      caches_.push(nom, demande.url, await (await ouvert.match(demande)).text());
  }
  const historique = JSON.stringify([history.state, document.cookie, window.name]);
  return [JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage}), ...bases, ...caches_, historique];
}"""


def navigateur(page: Any) -> Octets:
    """Tout ce qu'une page peut laisser dans son navigateur, témoins fermés aux scripts compris."""
    for texte in page.evaluate(DANS_LE_NAVIGATEUR):
        yield "stockage du navigateur", texte.encode()
    for temoin in page.context.cookies():
        yield "témoin du navigateur", f"{temoin['name']}={temoin['value']}".encode()
