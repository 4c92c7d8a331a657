"""Sous-processus gardés : un programme lancé ici s'arrête avec nous, même si nous sommes tués net."""

import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

GARDE = str(Path(__file__).with_name("garde.py"))
OCTETS_JOURNAL = 5_000_000


class ErreurEmbarquee(RuntimeError):
    """Panne d'un programme embarqué, dite en une phrase française qui indique quoi faire."""


@dataclass(eq=False)
class Enfant:
    """Un programme et sa garde. `groupe` est le groupe de processus du programme."""

    garde: subprocess.Popen[bytes]
    canal: socket.socket
    groupe: int
    delai: float
    naissance: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        _enfants.add(self)

    def vivant(self) -> bool:
        """Vrai tant que le programme tourne."""
        return self.garde.poll() is None

    def code(self) -> int:
        """Code de fin (128 + signal si le programme a été tué)."""
        return self.garde.wait()

    def demander_arret(self) -> None:
        """Demande l'arrêt sans attendre : la garde envoie le signal d'arrêt, puis SIGKILL passé le délai."""
        self.canal.close()

    def arreter(self) -> None:
        """Arrête le programme et tout son groupe ; au retour, il n'en reste rien."""
        self.demander_arret()
        try:
            self.garde.wait(self.delai + 5)
        except subprocess.TimeoutExpired:
            self.garde.kill()
            self.garde.wait()
        self.balayer()

    def balayer(self) -> None:
        """Tue ce qui resterait du groupe (la garde elle-même a pu être tuée)."""
        self.canal.close()
        if self.groupe:
            with suppress(OSError):
                os.killpg(self.groupe, signal.SIGKILL)


_enfants: weakref.WeakSet[Enfant] = weakref.WeakSet()


def _oublier_enfants() -> None:
    # Un fork sans exec hériterait des canaux et retiendrait les programmes après notre mort.
    for enfant in list(_enfants):
        enfant.canal.close()
    _enfants.clear()


os.register_at_fork(after_in_child=_oublier_enfants)


def lancer(
    commande: Sequence[str],
    *,
    journal: Path,
    arret: signal.Signals = signal.SIGTERM,
    delai: float = 10.0,
    compte: str | None = None,
    env: Mapping[str, str] | None = None,
    dossier: Path | str | None = None,
    montrer: bool = False,
) -> Enfant:
    """Lance `commande` sous garde. Sa sortie va dans `journal` (ou au terminal si `montrer`), ses erreurs aussi.

    `compte` : compte Unix pris par le programme (root seulement). Erreur : ErreurEmbarquee si rien ne part.
    """
    ici, chez_la_garde = socket.socketpair()
    complete = [sys.executable, "-I", "-S", GARDE, str(int(arret)), str(delai), compte or "-", *commande]
    with journal.open("ab") as flux, chez_la_garde:
        garde = subprocess.Popen(
            complete,
            stdin=chez_la_garde.fileno(),
            stdout=None if montrer else flux,
            stderr=flux,
            env=env,
            cwd=dossier,
            start_new_session=True,
        )
    return Enfant(garde, ici, _groupe(ici), delai)


def _groupe(canal: socket.socket) -> int:
    canal.settimeout(10)
    try:
        return int(canal.recv(32) or 0)
    except (TimeoutError, ConnectionError):
        return 0


@contextmanager
def verrou(fichier: Path, *, attendre: bool = True) -> Iterator[None]:
    """Verrou entre processus, rendu par le noyau si le tenant meurt. BlockingIOError si pris et `attendre` faux."""
    descripteur = os.open(fichier, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descripteur, fcntl.LOCK_EX | (0 if attendre else fcntl.LOCK_NB))
        yield
    finally:
        os.close(descripteur)


def borner_journal(journal: Path) -> Path:
    """Prépare un journal : crée son dossier et met de côté ce qui dépasse la taille permise."""
    journal.parent.mkdir(mode=0o700, exist_ok=True)
    if journal.exists() and journal.stat().st_size > OCTETS_JOURNAL:
        journal.replace(journal.with_name(journal.name + ".1"))
    journal.touch(mode=0o600)
    return journal


def socket_ouvert(chemin: Path) -> bool:
    """Vrai si un programme écoute sur ce socket Unix."""
    with socket.socket(socket.AF_UNIX) as essai:
        essai.settimeout(2)
        try:
            essai.connect(str(chemin))
        except OSError:
            return False
    return True


def patienter(condition: Callable[[], bool], secondes: float) -> bool:
    """Attend que la condition soit vraie, au plus `secondes` ; rend sa dernière valeur."""
    echeance = time.monotonic() + secondes
    while not condition():
        if time.monotonic() > echeance:
            return False
        time.sleep(0.02)
    return True
