"""Chercher un mot rare sous toutes les formes où un programme peut l'avoir écrit.

Un `grep` rate le base64, la compression et `\\u00e9`. Ici chaque forme reconnue est défaite, et ce qu'elle cachait est
fouillé à son tour : un zlib dans un base64 dans un JSON se trouve.
"""

import bz2
import html
import lzma
import quopri
import re
import unicodedata
import zlib
from base64 import b32decode, b64decode
from binascii import Error as ErreurBinaire
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

PROFONDEUR = 6
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{16,}")
_BASE64_COUPE = re.compile(rb"(?:[A-Za-z0-9+/]{60,76}\r?\n){1,}[A-Za-z0-9+/]*")
_BASE32 = re.compile(rb"[A-Z2-7]{16,}")
_HEXA = re.compile(rb"(?:[0-9a-fA-F]{2}){10,}")
_HEXA_SEPARE = re.compile(rb"[0-9a-fA-F]{2}(?:[ :-][0-9a-fA-F]{2}){5,}")
_ECHAPPEMENT = re.compile(rb"\\+(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|U([0-9a-fA-F]{8})|([0-7]{3}))")
_COMPRESSIONS = (
    ("zlib", re.compile(rb"\x78[\x01\x5e\x9c\xda]"), 15),
    ("gzip", re.compile(rb"\x1f\x8b\x08"), 31),
    ("bzip2", re.compile(rb"BZh[1-9]1AY"), None),
    ("xz", re.compile(rb"\xfd7zXZ\x00"), None),
)
_INFLATION_MAX = 1 << 24


_INVISIBLES = re.compile(
    "[" + "".join(c for c in map(chr, range(0x110000)) if unicodedata.category(c) in {"Mn", "Cf"}) + "]+"
)


def plier(texte: str) -> str:
    """Sans casse, sans accents, sans caractères invisibles : deux écritures du même mot s'y confondent."""
    return _INVISIBLES.sub("", unicodedata.normalize("NFKD", texte.casefold()))


def chercher(octets: bytes, mot: str) -> str | None:
    """Comment le mot est caché dans ces octets (« base64 › zlib », « clair »), ou None s'il n'y est pas."""
    return _chercher(octets, plier(mot), PROFONDEUR, set())


def _chercher(octets: bytes, mot: str, reste: int, vus: set[int]) -> str | None:
    if len(octets) < 4 or hash(octets) in vus:
        return None
    vus.add(hash(octets))
    if en_clair(octets, mot):
        return "clair"
    if reste == 0:
        return None
    for nom, dedans in formes(octets):
        if trouve := _chercher(dedans, mot, reste - 1, vus):
            return nom if trouve == "clair" else f"{nom} › {trouve}"
    return None


def en_clair(octets: bytes, mot_plie: str) -> bool:
    """Vrai si le mot s'y lit, en UTF-8, en latin-1 ou en UTF-16 (d'où l'on ôte ses zéros)."""
    textes = (octets.decode("utf-8", "ignore"), octets.decode("latin-1"), octets.replace(b"\0", b"").decode("latin-1"))
    return any(mot_plie in plier(texte) for texte in dict.fromkeys(textes))


def formes(octets: bytes) -> Iterator[tuple[str, bytes]]:
    """Tout ce que ces octets peuvent cacher, une forme défaite à la fois."""
    yield from _echappes(octets)
    yield from _compresses(octets)
    yield from _nombres(octets)
    yield from _base64(octets)


def _echappes(octets: bytes) -> Iterator[tuple[str, bytes]]:
    if b"\\" in octets:
        yield "échappement", _ECHAPPEMENT.sub(_desechapper, octets)
    if b"%" in octets:
        yield "url", unquote_to_bytes(octets)
    if b"&" in octets:
        yield "entité", html.unescape(octets.decode("utf-8", "replace")).encode("utf-8", "replace")
    if re.search(rb"=[0-9A-F]{2}", octets):
        yield "quoted-printable", quopri.decodestring(octets)


def _desechapper(trouve: re.Match[bytes]) -> bytes:
    court, octet, long, octal = trouve.groups()
    if octet or octal:
        return bytes([int(octet, 16) if octet else int(octal, 8) & 255])
    return chr(min(int(court or long, 16), 0x10FFFF)).encode("utf-8", "ignore")


def _compresses(octets: bytes) -> Iterator[tuple[str, bytes]]:
    for nom, marque, fenetre in _COMPRESSIONS:
        for debut in marque.finditer(octets):
            yield nom, _degonfler(octets[debut.start() :], nom, fenetre)
    yield "deflate", _degonfler(octets, "zlib", -15)


def _degonfler(octets: bytes, nom: str, fenetre: int | None) -> bytes:
    """Ce qui se décompresse, même si la suite est coupée ou étrangère."""
    try:
        if fenetre is not None:
            return zlib.decompressobj(fenetre).decompress(octets, _INFLATION_MAX)
        return (bz2.BZ2Decompressor() if nom == "bzip2" else lzma.LZMADecompressor()).decompress(octets, _INFLATION_MAX)
    except (zlib.error, OSError, lzma.LZMAError, ValueError, EOFError):
        return b""


def _nombres(octets: bytes) -> Iterator[tuple[str, bytes]]:
    for trouve in _HEXA.finditer(octets):
        yield "hexadécimal", bytes.fromhex(trouve.group().decode())
    for trouve in _HEXA_SEPARE.finditer(octets):
        yield "hexadécimal", bytes.fromhex(re.sub(rb"[ :-]", b"", trouve.group()).decode())


def _base64(octets: bytes) -> Iterator[tuple[str, bytes]]:
    for trouve in _BASE64_COUPE.finditer(octets):
        yield "base64", _en_base64(re.sub(rb"\s", b"", trouve.group()))
    for trouve in _BASE64.finditer(octets):
        # Collé à d'autres lettres, le texte peut commencer à n'importe quel alignement.
        for decalage in range(4):
            yield "base64", _en_base64(trouve.group()[decalage:])
    for trouve in _BASE32.finditer(octets):
        try:
            yield "base32", b32decode(trouve.group()[: len(trouve.group()) // 8 * 8])
        except ErreurBinaire:
            continue


def _en_base64(texte: bytes) -> bytes:
    juste = texte.translate(bytes.maketrans(b"-_", b"+/"))
    juste = juste[:-1] if len(juste) % 4 == 1 else juste
    return b64decode(juste + b"=" * (-len(juste) % 4))
