"""Base embarquée : un PostgreSQL à nous, démarré au besoin, arrêté avec le processus qui l'a démarré.

Accès : socket Unix seul, dans un dossier 0700 (root démarre PostgreSQL sous `nobody` et traverse ce dossier
de droit) ; en plus, l'authentification `peer` n'admet que le compte Unix qui a démarré la base, si bien qu'un autre
service tournant sous `nobody` n'entre pas non plus. Ni mot de passe ni port à protéger.
"""

import atexit
import os
import pwd
import shlex
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from horizon.embarque import binaires, chemins
from horizon.embarque.diagnostic import anciens_processus, expliquer, traduire_systeme
from horizon.embarque.processus import (
    Enfant,
    ErreurEmbarquee,
    borner_journal,
    lancer,
    patienter,
    socket_ouvert,
    verrou,
)

ROLE = "horizon"
PORT = 5432
ATTENTE_PRETE = 60.0
ATTENTE_GEREE = 5.0
ATTENTE_ANCIENS = 20.0
PID_IMPOSSIBLE = "2147483646"
# Aucun contenu dans le journal (SR-12) : `log` range les ERROR (qui citent des valeurs) sous le seuil et garde
# la vie du serveur, FATAL et PANIC compris.
REGLAGES = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "60",
    "shared_buffers": "256MB",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
    "log_min_messages": "log",
    "log_error_verbosity": "terse",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_statement": "none",
    "log_min_error_statement": "panic",
    "log_checkpoints": "off",
    "max_wal_size": "1GB",
    "checkpoint_timeout": "10min",
    "checkpoint_completion_target": "0.9",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_logical_replication_workers": "0",
}


@dataclass(frozen=True)
class Parametres:
    """De quoi se connecter : `hote` est le dossier du socket."""

    hote: str
    port: int
    utilisateur: str


_demarree: tuple[int, Enfant] | None = None


def assurer(donnees: Path) -> Parametres:
    """Démarre la base si elle ne tourne pas, et rend de quoi s'y connecter. Erreur : ErreurEmbarquee.

    Sous `demarrer` (HORIZON_BASE_GEREE), les enfants attendent que le superviseur la relance : un enfant qui la
    démarrerait l'emporterait dans sa chute.
    """
    if not tourne(donnees):
        if os.environ.get("HORIZON_BASE_GEREE") == "1":
            _attendre_superviseur(donnees)
        else:
            _demarrer_seul(donnees)
    return parametres(donnees)


def parametres(donnees: Path) -> Parametres:
    """De quoi se connecter, que la base tourne ou non."""
    return Parametres(str(_dossier_socket(donnees)), PORT, ROLE)


def tourne(donnees: Path) -> bool:
    """Vrai si la base est prête : état « ready » écrit par PostgreSQL, processus vivant, socket qui répond."""
    pid, etat = _lire_pid(donnees)
    return etat == "ready" and _vivant(pid) and socket_ouvert(_socket(donnees))


def arreter() -> None:
    """Arrête la base si c'est ce processus qui l'a démarrée (arrêt franc, transactions ouvertes annulées)."""
    global _demarree
    demarree, _demarree = _demarree, None
    if demarree and demarree[0] == os.getpid():
        demarree[1].arreter()


def _attendre_superviseur(donnees: Path) -> None:
    if not patienter(lambda: tourne(donnees), ATTENTE_GEREE):
        raise ErreurEmbarquee("La base embarquée ne répond pas : le Poste la relance, réessayez dans un instant.")


def _demarrer_seul(donnees: Path) -> None:
    """Sous verrou : un seul démarreur, les autres trouvent la base prête en entrant."""
    try:
        with verrou(chemins.creer(donnees) / "postgres.verrou"):
            if not _autre_serveur_pret(donnees):
                _demarrer(donnees)
    except OSError as erreur:
        raise traduire_systeme(erreur, donnees) from erreur


def _autre_serveur_pret(donnees: Path) -> bool:
    """Vrai si un serveur tourne ; s'il démarre ou s'arrête, attend de savoir ; désamorce un postmaster.pid périmé."""

    def fixe() -> bool:
        pid, _ = _lire_pid(donnees)
        return tourne(donnees) or not _est_le_notre(pid, donnees)

    if not patienter(fixe, ATTENTE_PRETE):
        raise ErreurEmbarquee(
            f"Un PostgreSQL occupe {donnees} sans répondre (processus {_lire_pid(donnees)[0]}) : "
            "arrêtez-le, puis relancez."
        )
    if tourne(donnees):
        return True
    _desamorcer(_dossier_base(donnees) / "postmaster.pid")
    return False


def _desamorcer(fichier: Path) -> None:
    """Un autre programme a pu reprendre le numéro noté : PostgreSQL refuserait de partir.

    Seul le numéro est remplacé : effacer le fichier ôterait la clé de mémoire partagée par laquelle PostgreSQL
    refuse de partir tant que d'anciens processus de la base écrivent encore.
    """
    with suppress(FileNotFoundError):
        lignes = fichier.read_text().splitlines()
        fichier.write_text("\n".join([PID_IMPOSSIBLE, *lignes[1:]]) + "\n")


def _demarrer(donnees: Path) -> None:
    global _demarree
    arreter()
    dossier_binaires = binaires.trouver(donnees)
    _preparer(donnees, dossier_binaires)
    journal = borner_journal(donnees / "postgres.log")
    echeance = time.monotonic() + ATTENTE_ANCIENS
    while True:
        debut = journal.stat().st_size
        enfant = _lancer_serveur(donnees, dossier_binaires, journal)
        if patienter(lambda: tourne(donnees) or not enfant.vivant(), ATTENTE_PRETE) and enfant.vivant():  # noqa: B023
            _demarree = (os.getpid(), enfant)
            return
        enfant.arreter()
        # Après un arrêt brutal, une requête en cours peut survivre un instant à son serveur.
        if time.monotonic() > echeance or not anciens_processus(journal, debut):
            raise expliquer(journal, debut, donnees)
        time.sleep(0.5)


def _lancer_serveur(donnees: Path, dossier_binaires: Path, journal: Path) -> Enfant:
    options = [f"{cle}={valeur}" for cle, valeur in REGLAGES.items()]
    options += [f"port={PORT}", f"unix_socket_directories={_dossier_socket(donnees)}"]
    commande = [str(dossier_binaires / "postgres"), "-D", str(_dossier_base(donnees))]
    commande += [morceau for option in options for morceau in ("-c", option)]
    commande += shlex.split(os.environ.get("HORIZON_PG_OPTIONS", ""))
    return lancer(
        commande, journal=journal, arret=signal.SIGINT, delai=20, compte=_compte(), env=_environnement(), dossier="/"
    )


def _preparer(donnees: Path, dossier_binaires: Path) -> None:
    """Données initialisées, de la bonne version, socket et règles d'accès en place."""
    base = _dossier_base(donnees)
    if not (base / "PG_VERSION").exists():
        _initialiser(donnees, dossier_binaires)
    trouvee, attendue = (base / "PG_VERSION").read_text().strip(), str(binaires.version(dossier_binaires))
    if trouvee != attendue:
        raise ErreurEmbarquee(
            f"Les données de {base} viennent de PostgreSQL {trouvee}, mais c'est PostgreSQL {attendue} qui est "
            f"installé : donnez par PG_BIN les binaires de la version {trouvee}, "
            "ou un autre dossier par HORIZON_DONNEES."
        )
    chemins.fermer_aux_autres(_dossier_socket(donnees), _proprietaire().pw_uid)
    (base / "pg_hba.conf").write_text(f"local all {ROLE} peer map=poste\n")
    (base / "pg_ident.conf").write_text(f'poste "{pwd.getpwuid(os.geteuid()).pw_name}" {ROLE}\n')


def _initialiser(donnees: Path, dossier_binaires: Path) -> None:
    """`initdb` dans un dossier voisin, puis renommage : interrompu, il ne laisse jamais de base à moitié faite."""
    for reste in donnees.glob("postgres.neuf*"):
        shutil.rmtree(reste, ignore_errors=True)
    neuf = donnees / "postgres.neuf"
    chemins.fermer_aux_autres(neuf, _proprietaire().pw_uid)
    journal = borner_journal(donnees / "postgres.log")
    debut = journal.stat().st_size
    commande = [str(dossier_binaires / "initdb"), "-D", str(neuf), "-U", ROLE, "--encoding=UTF8", "--auth=peer"]
    # Avec la locale C, 'É' ILIKE 'é' est faux ; le fournisseur intégré ne dépend pas du système, mais date de la 17.
    integre = binaires.version(dossier_binaires) >= 17
    commande += ["--locale=C.UTF-8", *(["--locale-provider=builtin"] if integre else [])]
    commande += ["--no-sync"] if "fsync=off" in os.environ.get("HORIZON_PG_OPTIONS", "") else []
    enfant = lancer(commande, journal=journal, compte=_compte(), env=_environnement(), dossier="/")
    with suppress(subprocess.TimeoutExpired):
        enfant.garde.wait(ATTENTE_PRETE * 2)
    reussi = not enfant.vivant() and enfant.code() == 0
    enfant.arreter()
    if not reussi:
        raise expliquer(journal, debut, donnees)
    neuf.rename(_dossier_base(donnees))


def _environnement() -> dict[str, str]:
    # Ni PGDATA ni PGOPTIONS de l'appelant ; messages anglais pour que `diagnostic` les reconnaisse.
    garde = {cle: os.environ[cle] for cle in ("PATH", "LD_LIBRARY_PATH") if cle in os.environ}
    return {"LC_ALL": "C", "TZ": "UTC", **garde}


def _compte() -> str | None:
    """PostgreSQL refuse de tourner en root : il prend alors le compte `nobody`."""
    return chemins.COMPTE_SANS_DROITS if os.geteuid() == 0 else None


def _proprietaire() -> pwd.struct_passwd:
    try:
        return chemins.compte_sans_droits() if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    except KeyError as erreur:
        raise ErreurEmbarquee(
            "Ce compte Unix n'a pas de nom et PostgreSQL l'exige : ajoutez-le à /etc/passwd, "
            "ou donnez une base existante par DATABASE_URL."
        ) from erreur


def _dossier_base(donnees: Path) -> Path:
    return donnees / "postgres"


def _dossier_socket(donnees: Path) -> Path:
    return chemins.dossier_socket(donnees, "socket", f".s.PGSQL.{PORT}")


def _socket(donnees: Path) -> Path:
    return _dossier_socket(donnees) / f".s.PGSQL.{PORT}"


def _lire_pid(donnees: Path) -> tuple[int, str]:
    """Processus et état selon postmaster.pid ; (0, "") s'il n'y en a pas."""
    try:
        lignes = (_dossier_base(donnees) / "postmaster.pid").read_text().splitlines()
        return int(lignes[0]), lignes[7].strip() if len(lignes) > 7 else "starting"
    except (OSError, ValueError, IndexError):
        return 0, ""


def _vivant(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return pid > 0


def _est_le_notre(pid: int, donnees: Path) -> bool:
    """Vrai si ce processus vivant est un PostgreSQL de ces données, et non un autre qui a repris son numéro."""
    if pid <= 0 or not _vivant(pid):
        return False
    try:
        ligne = Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except FileNotFoundError:
        ligne = subprocess.run(["ps", "-o", "args=", "-p", str(pid)], capture_output=True, text=True).stdout
    return str(_dossier_base(donnees)) in ligne


atexit.register(arreter)
