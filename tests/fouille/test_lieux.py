"""Chaque lieu prouvé : une fuite plantée y est trouvée, sous une forme que `grep` ne verrait pas."""

import gzip
import json
import logging
import pickle
import random
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis
from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.db import connection
from django.test import Client

from tests.fouille import lieux
from tests.fouille.test_decodeur import MOT, PHRASE, enveloppe

pytestmark = pytest.mark.exigence("SR-12")
CACHE = zlib.compress(PHRASE.encode())


def executer(sql: str, *valeurs: Any) -> None:
    with connection.cursor() as curseur:
        curseur.execute(sql, valeurs)


def en_table(type_sql: str, valeur: Any) -> Callable[[], None]:
    def planter() -> None:
        executer(f"CREATE TABLE fuite (a {type_sql})")
        executer("INSERT INTO fuite VALUES (%s)", valeur)

    return planter


def dans_les_statistiques() -> None:
    en_table("text", PHRASE)()
    executer("INSERT INTO fuite VALUES (%s)", PHRASE)
    executer("ANALYZE fuite")
    executer("TRUNCATE fuite")


EN_BASE = {
    "texte": en_table("text", PHRASE),
    "base64 de zlib": en_table("text", b64encode(CACHE).decode()),
    "bytea": en_table("bytea", CACHE),
    "bytea de gzip": en_table("bytea", gzip.compress(PHRASE.encode())),
    "json gardé tel quel": en_table("json", json.dumps({"x": [PHRASE]})),
    "jsonb": en_table("jsonb", json.dumps({"x": {"y": PHRASE}})),
    "tableau": en_table("text[]", [PHRASE]),
    "pickle": en_table("bytea", pickle.dumps(PHRASE)),
    "session": lambda: executer(
        "INSERT INTO django_session VALUES ('k', %s, now())", signing.dumps({"m": PHRASE * 5}, compress=True)
    ),
    "historique d'admin": lambda: executer(
        """INSERT INTO horizon_utilisateur (id, nom, password, role, is_active, demonstration, cree_le)
             VALUES (900, 'x', '', 'sa', true, false, now());
           INSERT INTO django_admin_log (action_time, object_repr, action_flag, change_message, user_id)
             VALUES (now(), '', 1, %s, 900)""",
        json.dumps([{"changed": {"fields": [PHRASE]}}]),
    ),
    "gros objet": lambda: executer("SELECT lo_from_bytea(0, %s)", CACHE),
    "autre schéma": lambda: executer("CREATE SCHEMA coin; CREATE TABLE coin.fuite AS SELECT %s::text", PHRASE),
    "statistiques de la base": dans_les_statistiques,
}


@pytest.mark.django_db
@pytest.mark.parametrize("plante", EN_BASE)
def test_fuite_en_base(plante: str) -> None:
    assert lieux.trouver(MOT, lieux.base()) == []
    EN_BASE[plante]()
    assert lieux.trouver(MOT, lieux.base())


@pytest.fixture
def table(transactional_db: None) -> Iterator[None]:
    executer("CREATE TABLE fuite (a text)")
    yield
    executer("DROP TABLE fuite")


def test_fuite_dans_l_export(table: None) -> None:
    assert lieux.trouver(MOT, lieux.export()) == []
    executer("INSERT INTO fuite VALUES (%s)", b64encode(CACHE).decode())
    assert lieux.trouver(MOT, lieux.export()) == ["pg_dump : base64 › zlib"]


@pytest.mark.parametrize("dehors", [False, True])
def test_fuite_compressee_par_postgresql_dans_ses_fichiers(table: None, dehors: bool) -> None:
    """Compressée dans la ligne, ou trop grosse et découpée dans la table TOAST : illisible par `grep`, et retrouvée
    même après la suppression de la ligne. C'est ce que PostgreSQL garde jusqu'à réécrire la page."""
    lignes = [f"{random.Random(n).getrandbits(64):x} " * 2 for n in range(900 if dehors else 0)]
    texte = "\n".join([f"{MOT[:12]} {MOT[10:]} " * 90, MOT, *lignes])
    executer("ALTER TABLE fuite ALTER a SET COMPRESSION pglz")
    avant = lieux.position_du_journal()
    executer("INSERT INTO fuite VALUES (%s)", texte)
    executer("DELETE FROM fuite")
    apres = lieux.position_du_journal()
    trouves = lieux.trouver(MOT, lieux.fichiers("fuite"))
    assert trouves
    assert not [nom for nom, octets in lieux.fichiers("fuite") if MOT.encode() in octets and "compress" not in nom]
    assert ("pg_toast" in trouves[0]) == dehors
    assert lieux.trouver(MOT, lieux.base(), lieux.export()) == []
    if not dehors:
        assert lieux.trouver(MOT, lieux.journal_des_transactions(avant, apres))
    executer("VACUUM FULL fuite")
    assert lieux.trouver(MOT, lieux.fichiers("fuite")) == []


def planter_cle(genre: str, client: Any) -> None:
    actes: dict[str, Callable[[], Any]] = {
        "chaîne": lambda: client.set("k", CACHE),
        "liste": lambda: client.rpush("k", enveloppe("json")),
        "liste de pickle": lambda: client.rpush("k", enveloppe("pickle")),
        "ensemble": lambda: client.sadd("k", PHRASE.encode()),
        "ensemble trié": lambda: client.zadd("k", {gzip.compress(PHRASE.encode()): 1}),
        "table": lambda: client.hset("k", "x", json.dumps(PHRASE)),
        "champ d'une table": lambda: client.hset("k", PHRASE, "x"),
        "flux": lambda: client.xadd("k", {"x": PHRASE}),
        "clé": lambda: client.set(PHRASE, "x"),
    }
    actes[genre]()


@pytest.mark.parametrize(
    "genre",
    ["chaîne", "liste", "liste de pickle", "ensemble", "ensemble trié", "table", "champ d'une table", "flux", "clé"],
)
def test_fuite_dans_la_file(genre: str) -> None:
    client = redis.Redis.from_url(f"{settings.REDIS_URL}?db=15")
    try:
        planter_cle(genre, client)
        assert lieux.trouver(MOT, lieux.file_et_cache())
    finally:
        client.flushdb()
        client.close()
    assert not [t for t in lieux.trouver(MOT, lieux.file_et_cache()) if t.startswith("file, base 15")]


def test_fuite_dans_le_cache() -> None:
    cache.set("k", {"contenu": PHRASE * 20})
    assert lieux.trouver(MOT, lieux.file_et_cache())
    cache.clear()


def test_fuite_dans_un_journal() -> None:
    fuite = settings.DONNEES / "journaux" / f"{connection.settings_dict['NAME']}.log"
    fuite.parent.mkdir(exist_ok=True)
    try:
        fuite.write_bytes(b'{"event": "' + json.dumps(PHRASE).encode() + b'"}')
        assert [t for t in lieux.trouver(MOT, lieux.journaux()) if t.startswith("journaux/")]
    finally:
        fuite.unlink()


def test_fuite_dans_un_journal_capture(caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger("fuite").error("reçu %r", {"contenu": PHRASE.encode()})
    assert lieux.trouver(MOT, [("journal", caplog.text.encode())])


def test_fuite_dans_un_temoin() -> None:
    client = Client()
    client.cookies["m"] = signing.dumps({"m": PHRASE * 3}, compress=True)
    assert lieux.trouver(MOT, lieux.temoins(client))


@pytest.mark.navigateur
@pytest.mark.parametrize(
    "script",
    [
        "p => localStorage.setItem('a', JSON.stringify(p))",
        "p => sessionStorage.setItem('htmx-history-cache', btoa(unescape(encodeURIComponent(p))))",
        "p => { document.cookie = 'a=' + encodeURIComponent(p) }",
        "p => history.replaceState({a: p}, '')",
        "p => { window.name = p }",
        "async p => (await caches.open('c')).put('/a', new Response(p))",
        """p => new Promise(fait => { const d = indexedDB.open('b');
             d.onupgradeneeded = () => d.result.createObjectStore('m');
             d.onsuccess = () => { const t = d.result.transaction('m', 'readwrite');
               t.objectStore('m').put({a: p}, 1); t.oncomplete = () => { d.result.close(); fait(); }; }; })""",
    ],
)
def test_fuite_dans_le_navigateur(page: Any, live_server: Any, script: str) -> None:
    # Une réponse d'API : les pages, elles, refusent d'elles-mêmes d'écrire dans le stockage.
    page.goto(live_server.url + "/api/v1/schema/")
    assert lieux.trouver(MOT, lieux.navigateur(page)) == []
    page.evaluate(script, PHRASE)
    assert lieux.trouver(MOT, lieux.navigateur(page))
