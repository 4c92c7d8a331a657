"""Garde d'un programme embarqué : le lance dans son groupe, et le groupe ne survit ni à la garde ni à son lanceur.

S'exécute par son chemin (`python -I -S garde.py SIGNAL DÉLAI COMPTE COMMANDE…`), bibliothèque standard seulement.
L'entrée standard est une paire de sockets tenue par le lanceur : la garde y écrit le numéro du groupe, et la voir
se fermer (arrêt demandé, ou lanceur tué net) lui dit d'arrêter. C'est plus sûr que PDEATHSIG seul, lié au fil
d'exécution qui a forké et non au processus ; PDEATHSIG ne couvre ici que la mort brutale de la garde elle-même.
"""

import ctypes
import os
import pwd
import select
import signal
import sys
import time
from contextlib import suppress

ARRETS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> int:
    """Lance la commande, attend sa fin ou une demande d'arrêt, rend son code (128 + signal si tué)."""
    arret, delai, compte, *commande = arguments
    reveil = _ecouter_signaux()
    garde = os.getpid()
    pid = os.fork()
    if pid == 0:
        _devenir(commande, compte, int(arret), garde)
    _grouper(pid)
    os.write(0, b"%d\n" % pid)
    statut = _attendre(pid, reveil, int(arret), float(delai))
    _tuer_groupe(pid)
    code = os.waitstatus_to_exitcode(statut)
    return code if code >= 0 else 128 - code


def _ecouter_signaux() -> int:
    lecture, ecriture = os.pipe()
    os.set_blocking(ecriture, False)
    signal.set_wakeup_fd(ecriture)
    for numero in (*ARRETS, signal.SIGCHLD):
        signal.signal(numero, lambda *_: None)
    return lecture


def _devenir(commande: list[str], compte: str, arret: int, garde: int) -> None:
    """Dans l'enfant : rend les signaux, quitte root s'il le faut, se lie à la garde et exécute la commande."""
    try:
        _grouper(0)
        for numero in (*ARRETS, signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(numero, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        if compte != "-":
            _changer_compte(pwd.getpwnam(compte))
        # Après le changement de compte : il efface PDEATHSIG.
        _mourir_avec_le_parent(arret)
        if os.getppid() == garde:
            os.execvp(commande[0], commande)  # noqa: S606
    except OSError as erreur:
        os.write(2, f"{commande[0]} : {erreur}\n".encode())
    os._exit(127)


def _changer_compte(compte: pwd.struct_passwd) -> None:
    os.setgroups([compte.pw_gid])
    os.setgid(compte.pw_gid)
    os.setuid(compte.pw_uid)


def _mourir_avec_le_parent(numero: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, numero)


def _grouper(pid: int) -> None:
    # Fait des deux côtés du fork : le premier arrivé gagne, l'autre échoue sans dommage.
    with suppress(OSError):
        os.setpgid(pid, pid)


def _attendre(pid: int, reveil: int, arret: int, delai: float) -> int:
    """Statut de fin de `pid` ; à la demande d'arrêt, envoie `arret`, puis tue le groupe passé `delai` secondes."""
    echeance = 0.0
    while True:
        fini, statut = os.waitpid(pid, os.WNOHANG)
        if fini:
            return statut
        if not echeance and _arret_demande(reveil):
            echeance = time.monotonic() + delai
            os.kill(pid, arret)
        elif echeance:
            select.select([reveil], [], [], 0.05)
            _vider(reveil)
            if time.monotonic() > echeance:
                _tuer_groupe(pid)


def _arret_demande(reveil: int) -> bool:
    prets, _, _ = select.select([0, reveil], [], [])
    recus = _vider(reveil) if reveil in prets else b""
    return 0 in prets or any(numero in recus for numero in ARRETS)


def _vider(reveil: int) -> bytes:
    prets, _, _ = select.select([reveil], [], [], 0)
    return os.read(reveil, 64) if prets else b""


def _tuer_groupe(groupe: int) -> None:
    with suppress(OSError):
        os.killpg(groupe, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
