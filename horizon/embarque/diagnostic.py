"""Traduire une panne d'un programme embarqué en une phrase : ce qui se passe, quoi faire."""

import errno
import shutil
from pathlib import Path

from horizon.embarque.processus import ErreurEmbarquee

LIBERER = "Libérez de la place, puis relancez."
OCTETS_MINIMAUX = 16_000_000
ANCIENS = "pre-existing shared memory block"
# Motif du journal → cause et remède ; le premier trouvé l'emporte.
CAUSES = (
    (ANCIENS, "D'anciens processus de cette base finissent encore : réessayez dans un instant."),
    ("No space left on device", f"Le disque est plein. {LIBERER}"),
    ("Disk quota exceeded", f"Le quota de disque est atteint. {LIBERER}"),
    ("Read-only file system", "Le disque est en lecture seule : donnez un autre dossier par HORIZON_DONNEES."),
    (
        "Permission denied",
        "Les droits du dossier sont insuffisants : relancez avec le compte qui l'a créé, "
        "ou donnez un autre dossier par HORIZON_DONNEES.",
    ),
    (
        "Operation not permitted",
        "Ce compte n'a pas le droit de changer d'utilisateur : lancez le Poste sans être root.",
    ),
    (
        "Cannot allocate memory",
        "La mémoire manque : libérez-en, ou réduisez-la par HORIZON_PG_OPTIONS='-c shared_buffers=32MB'.",
    ),
    (
        "already exists",
        "Un autre PostgreSQL tient ces données : arrêtez-le, puis relancez.",
    ),
    ("Address already in use", "Un autre programme tient ce socket : arrêtez-le, puis relancez."),
    (
        "incompatible with server",
        "Ces données viennent d'une autre version : donnez un autre dossier par HORIZON_DONNEES.",
    ),
    ("error while loading shared libraries", "Les binaires sont incomplets : relancez `uv sync`, ou donnez PG_BIN."),
)


def expliquer(journal: Path, debut: int, donnees: Path, quoi: str = "La base embarquée") -> ErreurEmbarquee:
    """Erreur claire d'après ce que le programme a écrit dans son journal depuis l'octet `debut`."""
    if shutil.disk_usage(donnees).free < OCTETS_MINIMAUX:
        # Plein à ce point, le journal lui-même n'a pas pu s'écrire.
        return ErreurEmbarquee(f"{quoi} n'a pas démarré : le disque de {donnees} est plein. {LIBERER}")
    texte = _depuis(journal, debut)
    trouvees = (remede for motif, remede in CAUSES if motif in texte)
    remede = next(trouvees, "Le journal en dit la cause.")
    return ErreurEmbarquee(f"{quoi} n'a pas démarré dans {donnees}. {remede} Détail : {journal}")


def traduire_systeme(erreur: OSError, donnees: Path) -> ErreurEmbarquee:
    """Erreur claire pour un appel système refusé en préparant les données."""
    if erreur.errno in {errno.ENOSPC, errno.EDQUOT}:
        return ErreurEmbarquee(f"Le disque de {donnees} est plein. {LIBERER}")
    if isinstance(erreur, PermissionError) or erreur.errno == errno.EROFS:
        return ErreurEmbarquee(
            f"Le dossier des données {donnees} n'est pas accessible à ce compte ({erreur}) : "
            "relancez avec le compte qui l'a créé, ou donnez un autre dossier par HORIZON_DONNEES."
        )
    return ErreurEmbarquee(
        f"Le dossier des données {donnees} est inutilisable ({erreur}) : donnez-en un autre par HORIZON_DONNEES."
    )


def anciens_processus(journal: Path, debut: int) -> bool:
    """Vrai si le départ a été refusé parce que d'anciens processus de la base finissent encore."""
    return ANCIENS in _depuis(journal, debut)


def _depuis(journal: Path, debut: int) -> str:
    try:
        with journal.open("rb") as flux:
            flux.seek(debut)
            return flux.read(200_000).decode(errors="replace")
    except OSError:
        return ""
