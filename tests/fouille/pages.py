"""Relire les fichiers de PostgreSQL : valeurs compressées (pglz, lz4) dans une page ou découpées en TOAST.

Rien n'est demandé au serveur : les lignes mortes y sont encore, et c'est elles qu'on cherche.
"""

import struct
from collections.abc import Iterator

PAGE = 8192
_VALEUR_MAX = 1 << 24


def pglz(source: bytes, taille: int) -> bytes:
    """Décompresse du pglz ; un flux faux ou coupé rend ce qui a pu l'être."""
    rendu, lu = bytearray(), 0
    while lu < len(source) and len(rendu) < taille:
        marque, lu = source[lu], lu + 1
        for rang in range(8):
            if lu >= len(source) or len(rendu) >= taille:
                break
            if not marque >> rang & 1:
                rendu.append(source[lu])
                lu += 1
                continue
            if lu + 1 >= len(source):
                return bytes(rendu)
            longueur, recul = (source[lu] & 0x0F) + 3, (source[lu] & 0xF0) << 4 | source[lu + 1]
            lu += 2
            if longueur == 18 and lu < len(source):
                longueur, lu = longueur + source[lu], lu + 1
            if not _recopier(rendu, recul, longueur):
                return bytes(rendu)
    return bytes(rendu[:taille])


def lz4(source: bytes, taille: int) -> bytes:
    """Décompresse un bloc lz4 ; un flux faux ou coupé rend ce qui a pu l'être."""
    rendu, lu = bytearray(), 0
    while lu < len(source) and len(rendu) < taille:
        jeton, lu = source[lu], lu + 1
        clairs, lu = _longueur(source, lu, jeton >> 4)
        rendu += source[lu : lu + clairs]
        lu += clairs
        if lu + 2 > len(source):
            break
        recul = source[lu] | source[lu + 1] << 8
        copies, lu = _longueur(source, lu + 2, jeton & 15)
        if not _recopier(rendu, recul, copies + 4):
            break
    return bytes(rendu[:taille])


def _longueur(source: bytes, lu: int, base: int) -> tuple[int, int]:
    """Longueur lz4 : 15 annonce des octets à ajouter, jusqu'au premier qui n'est pas 255."""
    while base >= 15 and lu < len(source):
        base, lu = base + source[lu], lu + 1
        if source[lu - 1] != 255:
            break
    return base, lu


def _recopier(rendu: bytearray, recul: int, longueur: int) -> bool:
    if not 0 < recul <= len(rendu) or longueur > _VALEUR_MAX:
        return False
    for _ in range(longueur):
        rendu.append(rendu[-recul])
    return True


def decompresser(entete: int, source: bytes) -> bytes:
    """`entete` : taille d'origine et méthode, comme PostgreSQL les écrit devant une valeur compressée."""
    taille, methode = entete & 0x3FFFFFFF, entete >> 30
    if not 0 < taille <= _VALEUR_MAX or methode > 1:
        return b""
    return lz4(source, taille) if methode else pglz(source, taille)


def valeurs(fichier: bytes) -> Iterator[bytes]:
    """Toute valeur compressée d'un fichier de table, de TOAST ou de journal, vivante ou morte, décompressée."""
    morceaux: dict[tuple[int, int], bytes] = {}
    for debut in range(0, len(fichier) - 8, PAGE):
        page = fichier[debut : debut + PAGE]
        mots = struct.unpack(f"<{len(page) // 4}I", page[: len(page) // 4 * 4])
        for rang, mot in enumerate(mots):
            longueur, place = mot >> 2, rang * 4
            if longueur < 8 or place + longueur > len(page):
                continue
            if mot & 3 == 2:
                yield decompresser(mots[rang + 1], page[place + 8 : place + longueur])
            elif mot & 3 == 0 and longueur <= 2004 and rang >= 2 and mots[rang - 1] < 10_000:
                morceaux[mots[rang - 2], mots[rang - 1]] = page[place + 4 : place + longueur]
    yield from _recolles(morceaux)


def _recolles(morceaux: dict[tuple[int, int], bytes]) -> Iterator[bytes]:
    """Les valeurs découpées : leur premier morceau s'ouvre sur la taille et la méthode quand elles sont compressées."""
    for valeur, rang in list(morceaux):
        if rang:
            continue
        entier = bytearray()
        while (suite := morceaux.get((valeur, rang))) is not None:
            entier += suite
            rang += 1
        yield bytes(entier)
        if len(entier) > 4:
            yield decompresser(int.from_bytes(entier[:4], "little"), bytes(entier[4:]))


def valeurs_sans_alignement(journal: bytes) -> Iterator[bytes]:
    """Comme `valeurs`, à tout octet : le journal des transactions n'aligne rien."""
    for decalage in range(4):
        yield from valeurs(journal[decalage:])
