"""Le détecteur d'abord prouvé : chaque façon d'écrire un mot le trouve, et rien d'autre ne le trouve."""

import base64
import bz2
import gzip
import html
import json
import lzma
import pickle
import quopri
import struct
import zlib
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from django.core import signing
from kombu.serialization import dumps

from tests.fouille import decodeur, pages

MOT = "Zibéline-ambrée-7319"
PHRASE = f"je ne dirai plus jamais {MOT} à personne"
BRUT = PHRASE.encode()


def raw_deflate(octets: bytes) -> bytes:
    fait = zlib.compressobj(wbits=-15)
    return fait.compress(octets) + fait.flush()


def b64(octets: bytes) -> bytes:
    return base64.b64encode(octets)


ECRITURES: dict[str, Callable[[], bytes]] = {
    "clair": lambda: BRUT,
    "majuscules": lambda: PHRASE.upper().encode(),
    "sans accents": lambda: PHRASE.replace("é", "e").encode(),
    "accents décomposés": lambda: PHRASE.replace("é", "e\u0301").encode(),
    "caractère invisible": lambda: PHRASE.replace("line", "li\u200bne").encode(),
    "latin-1": lambda: PHRASE.encode("latin-1"),
    "utf-16": lambda: PHRASE.encode("utf-16"),
    "json": lambda: json.dumps({"contenu": PHRASE}).encode(),
    "json dans json": lambda: json.dumps(json.dumps({"contenu": PHRASE})).encode(),
    "repr d'octets": lambda: repr(BRUT).encode(),
    "octal de bytea": lambda: "".join(chr(o) if o < 128 else f"\\{o:03o}" for o in BRUT).encode(),
    "url": lambda: quote(PHRASE).encode(),
    "url deux fois": lambda: quote(quote(PHRASE)).encode(),
    "entités": lambda: html.escape(PHRASE).replace("é", "&eacute;").encode(),
    "entités numériques": lambda: PHRASE.replace("é", "&#233;").encode(),
    "quoted-printable": lambda: quopri.encodestring(BRUT),
    "hexadécimal": lambda: b"\\x" + BRUT.hex().encode(),
    "hexadécimal espacé": lambda: BRUT.hex(" ").upper().encode(),
    "base64": lambda: b64(BRUT),
    "base64 décalé de 1": lambda: b64(b"a" + BRUT),
    "base64 décalé de 2": lambda: b64(b"ab" + BRUT),
    "base64 collé à 1 lettre": lambda: b"x" + b64(BRUT),
    "base64 collé à 2 lettres": lambda: b"xy" + b64(BRUT),
    "base64 collé à 3 lettres": lambda: b"xyz" + b64(BRUT),
    "base64 d'url": lambda: base64.urlsafe_b64encode(b"\xff\xfe\xfb" + BRUT).rstrip(b"="),
    "base64 coupé en lignes": lambda: base64.encodebytes(b"--" * 60 + BRUT * 2),
    "base64 du mot seul": lambda: b64(MOT.encode()),
    "base32": lambda: base64.b32encode(BRUT),
    "zlib": lambda: b"avant" + zlib.compress(BRUT) + "après".encode(),
    "gzip": lambda: gzip.compress(BRUT),
    "deflate nu": lambda: raw_deflate(BRUT),
    "bzip2": lambda: bz2.compress(BRUT),
    "xz": lambda: lzma.compress(BRUT),
    "zlib dans base64": lambda: b64(zlib.compress(BRUT)),
    "gzip dans base64 dans json": lambda: json.dumps({"body": b64(gzip.compress(BRUT)).decode()}).encode(),
    "zlib en hexadécimal": lambda: b"\\x" + zlib.compress(BRUT, 9).hex().encode(),
    "zlib coupé": lambda: zlib.compress(BRUT + bytes(range(256)) * 40)[:-200],
    "base64 de base64 de zlib": lambda: b64(b64(zlib.compress(BRUT))),
    "signature de Django": lambda: signing.dumps({"t": PHRASE}).encode(),
    "session de Django": lambda: signing.dumps({"t": PHRASE * 9}, compress=True).encode(),
    **{f"pickle {n}": lambda n=n: pickle.dumps({"args": [PHRASE]}, n) for n in range(6)},  # type: ignore[misc]
    "pickle dans base64": lambda: b64(pickle.dumps([PHRASE])),
    "kombu json": lambda: enveloppe("json"),
    "kombu pickle": lambda: enveloppe("pickle"),
}


def enveloppe(genre: str) -> bytes:
    """Un message de file tel que kombu l'écrit sur Redis."""
    type_, codage, corps = dumps([[PHRASE], {}, {}], serializer=genre)
    octets = corps if isinstance(corps, bytes) else corps.encode()
    return json.dumps({"body": b64(octets).decode(), "content-type": type_, "content-encoding": codage}).encode()


@pytest.mark.exigence("SR-12")
@pytest.mark.parametrize("ecriture", ECRITURES)
def test_chaque_ecriture_est_trouvee(ecriture: str) -> None:
    assert decodeur.chercher(ECRITURES[ecriture](), MOT)


@pytest.mark.exigence("SR-12")
@pytest.mark.parametrize("ecriture", ECRITURES)
def test_noyee_dans_un_gros_fichier(ecriture: str) -> None:
    noye = b'{"a": "rien"}\n' * 2000 + b'"' + ECRITURES[ecriture]() + b'"\n'
    # Une compression sans en-tête ne se reconnaît que seule : rien ne dit où elle commence.
    if ecriture != "deflate nu":
        assert decodeur.chercher(noye, MOT)


@pytest.mark.parametrize("ecriture", ECRITURES)
def test_un_autre_mot_n_est_pas_trouve(ecriture: str) -> None:
    assert decodeur.chercher(ECRITURES[ecriture](), "Zibéline-ambrée-7318") is None


def test_ce_qui_cache_le_mot_est_dit() -> None:
    assert decodeur.chercher(b64(zlib.compress(BRUT)), MOT) == "base64 › zlib"
    assert decodeur.chercher(BRUT, MOT) == "clair"


# --- Compressions de PostgreSQL : flux écrits à la main, puis ceux du serveur (test_lieux).

PGLZ = bytes([0b0001_0000]) + b"abcd" + bytes([0x05, 0x04]) + b"ef" + b"g"
LZ4 = bytes([0x44]) + b"abcd" + bytes([4, 0]) + bytes([0x30]) + b"efg"


def test_pglz_et_lz4() -> None:
    assert pages.pglz(PGLZ, 15) == b"abcdabcdabcdefg"
    assert pages.lz4(LZ4, 15) == b"abcdabcdabcdefg"


def test_pglz_longue_copie() -> None:
    flux = bytes([0b0000_0010]) + b"a" + bytes([0x0F, 0x01, 10]) + b"z"
    assert pages.pglz(flux, 30) == b"a" * 29 + b"z"


def page(*valeurs: bytes) -> bytes:
    corps = b"\0" * 24
    for valeur in valeurs:
        corps += valeur + b"\0" * (-len(valeur) % 4)
    return corps.ljust(pages.PAGE, b"\0")


def compressee(methode: int, flux: bytes) -> bytes:
    return struct.pack("<I", (8 + len(flux)) << 2 | 2) + struct.pack("<I", 15 | methode << 30) + flux


def morceau(valeur: int, rang: int, octets: bytes) -> bytes:
    return struct.pack("<III", valeur, rang, (4 + len(octets)) << 2) + octets


@pytest.mark.exigence("SR-12")
def test_valeurs_compressees_d_une_page() -> None:
    trouvees = set(pages.valeurs(page(compressee(0, PGLZ)) + page(compressee(1, LZ4))))
    assert b"abcdabcdabcdefg" in trouvees
    assert b"abcdabcdabcdefg" in set(pages.valeurs(page(compressee(1, LZ4))))


@pytest.mark.exigence("SR-12")
def test_valeur_decoupee_sur_deux_pages() -> None:
    entier = struct.pack("<I", 15) + PGLZ
    fichier = page(morceau(70, 1, entier[9:])) + page(morceau(70, 0, entier[:9]))
    assert b"abcdabcdabcdefg" in set(pages.valeurs(fichier))


@pytest.mark.parametrize("bruit", range(20))
def test_du_bruit_ne_casse_rien(bruit: int) -> None:
    import random

    octets: Any = random.Random(bruit).randbytes(3 * pages.PAGE)
    for valeur in pages.valeurs_sans_alignement(octets):
        assert isinstance(valeur, bytes)
    assert decodeur.chercher(octets, MOT) is None
