"""Le registre des oublis, hors de la base : des identifiants et des dates, une ligne par oubli, en ajout seul (DR-10).

Il est écrit et mis sur disque avant la validation de la transaction qui oublie. Une restauration ramène la base en
arrière, pas lui : ce qu'elle a perdu s'y lit, et se rejoue.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import msgspec
from django.conf import settings

from horizon.noyau.oublis import Cible

_lire = msgspec.json.Decoder(Cible)
_ecrire = msgspec.json.Encoder()


def chemin() -> Path:
    """Fichier du registre : `HORIZON_REGISTRE`, sinon dans les données, à côté de la base et non dedans."""
    return Path(settings.REGISTRE_DES_OUBLIS)


@contextmanager
def _seul() -> Iterator[None]:
    """Un seul écrivain à la fois. Le verrou est à part : l'élagage remplace le fichier lui-même."""
    descripteur = os.open(chemin().with_suffix(".verrou"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descripteur, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descripteur)


def inscrire(cible: Cible) -> None:
    """Ajoute un oubli et attend qu'il soit sur disque. OSError si c'est impossible : l'oubli échoue alors."""
    ligne = _ecrire.encode(cible) + b"\n"
    with _seul():
        neuf = not chemin().exists()
        descripteur = os.open(chemin(), os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            # Un arrêt brutal a pu laisser une ligne sans fin : la suivante ne doit pas s'y coller.
            taille = os.fstat(descripteur).st_size
            if taille and os.pread(descripteur, 1, taille - 1) != b"\n":
                ligne = b"\n" + ligne
            if os.write(descripteur, ligne) != len(ligne):
                raise OSError("écriture incomplète")
            os.fsync(descripteur)
        finally:
            os.close(descripteur)
        if neuf:
            _mettre_sur_disque_le_dossier()


def lire(depuis: datetime | None = None) -> list[Cible]:
    """Les oublis inscrits, du plus ancien au plus récent ; une ligne tronquée par un arrêt brutal n'a jamais été
    confirmée à personne et se saute."""
    try:
        lignes = chemin().read_bytes().splitlines()
    except FileNotFoundError:
        return []
    lus = []
    for ligne in lignes:
        try:
            cible = _lire.decode(ligne)
        except msgspec.DecodeError:
            continue
        if depuis is None or cible.le >= depuis:
            lus.append(cible)
    return lus


def elaguer(depuis: datetime) -> None:
    """Retire les oublis plus anciens que la plus vieille sauvegarde possible."""
    with _seul():
        tous = lire()
        gardes = [c for c in tous if c.le >= depuis]
        if len(gardes) == len(tous):
            return
        neuf = chemin().with_suffix(".neuf")
        with open(neuf, "wb", opener=_prive) as sortie:
            sortie.write(b"".join(_ecrire.encode(c) + b"\n" for c in gardes))
            sortie.flush()
            os.fsync(sortie.fileno())
        neuf.replace(chemin())
        _mettre_sur_disque_le_dossier()


def _mettre_sur_disque_le_dossier() -> None:
    """Sans quoi une panne de courant peut perdre le nom d'un fichier dont le contenu est sauf."""
    descripteur = os.open(chemin().parent, os.O_RDONLY)
    try:
        os.fsync(descripteur)
    finally:
        os.close(descripteur)


def _prive(nom: str, drapeaux: int) -> int:
    return os.open(nom, drapeaux, 0o600)
