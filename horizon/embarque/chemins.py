"""Où vivent les données embarquées. Importé par les réglages : ni Django, ni écriture à l'import (sauf la clé)."""

import hashlib
import os
import pwd
import secrets
import stat
import tempfile
from pathlib import Path

COMPTE_SANS_DROITS = "nobody"
# Un chemin de socket Unix tient dans 107 octets ; la marge laisse à PostgreSQL son `.s.PGSQL.5432.lock`.
OCTETS_SOCKET = 100
CARACTERES_CLE = 50


def donnees(base_dir: Path, valeur: str) -> Path:
    """Dossier absolu des données embarquées : `valeur` (HORIZON_DONNEES), sinon `.donnees` dans le dépôt.

    Root fait tourner PostgreSQL sous `nobody` : un dossier que `nobody` n'atteint pas est remplacé par
    `/var/lib/horizon/<empreinte>`, toujours le même pour un même chemin. Rien n'est créé ici.
    """
    voulu = Path(os.path.abspath(base_dir / (valeur or ".donnees")))
    if os.geteuid() == 0 and not traversable(voulu):
        return Path("/var/lib/horizon") / empreinte(voulu)
    return voulu


def empreinte(chemin: Path) -> str:
    """Nom court et stable d'un chemin."""
    return hashlib.sha256(str(chemin).encode()).hexdigest()[:12]


def traversable(dossier: Path) -> bool:
    """Vrai si `nobody` peut traverser ce dossier et tous ses parents (ceux qui existent)."""
    return all(_ouvert_a_tous(parent) for parent in (dossier, *dossier.parents) if parent.exists())


def _ouvert_a_tous(dossier: Path) -> bool:
    etat = dossier.stat()
    if etat.st_uid == compte_sans_droits().pw_uid:
        return bool(etat.st_mode & 0o100)
    return bool(etat.st_mode & 0o001)


def compte_sans_droits() -> pwd.struct_passwd:
    """Le compte `nobody` de la machine."""
    return pwd.getpwnam(COMPTE_SANS_DROITS)


def creer(dossier: Path) -> Path:
    """Crée le dossier de données et ses parents, traversables quel que soit l'umask (`nobody` doit atteindre le sien).

    Un dossier déjà là garde ses droits ; un dossier créé n'est listable que par son propriétaire.
    """
    manquants = [parent for parent in (dossier, *dossier.parents) if not parent.exists()]
    for parent in reversed(manquants):
        parent.mkdir(exist_ok=True)
        parent.chmod(0o711)
    return dossier


def cle_secrete(donnees: Path) -> str:
    """Clé de Django, tirée au sort au premier appel puis relue dans `donnees/cle_secrete` (mode 0600).

    Deux processus simultanés obtiennent la même : chacun écrit la sienne à côté, un seul lien dur gagne.
    Dossier inaccessible : SystemExit, la seule façon pour des réglages de dire une phrase plutôt qu'une trace.
    """
    fichier = donnees / "cle_secrete"
    try:
        if not fichier.exists():
            _deposer(fichier, secrets.token_urlsafe(CARACTERES_CLE))
        return fichier.read_text(encoding="ascii").strip()
    except OSError as erreur:
        raise SystemExit(
            f"Le dossier des données {donnees} n'est pas utilisable par ce compte ({erreur.strerror}) : relancez avec "
            "le compte qui l'a créé, ou donnez un autre dossier par HORIZON_DONNEES."
        ) from None


def _deposer(fichier: Path, texte: str) -> None:
    descripteur, brouillon = tempfile.mkstemp(dir=creer(fichier.parent), prefix=".cle-")
    try:
        with os.fdopen(descripteur, "w", encoding="ascii") as flux:
            flux.write(texte)
            flux.flush()
            os.fsync(flux.fileno())
        os.link(brouillon, fichier)
    except FileExistsError:
        pass
    finally:
        os.unlink(brouillon)


def dossier_socket(donnees: Path, nom: str, fichier: str) -> Path:
    """Dossier d'un socket : `donnees/nom`, ou un dossier court sous `/tmp` si le chemin du socket est trop long."""
    voulu = donnees / nom
    if len(os.fsencode(voulu / fichier)) <= OCTETS_SOCKET:
        return voulu
    # `/tmp` et non TMPDIR : deux processus d'environnements différents doivent trouver le même socket.
    return Path("/tmp") / f"horizon-{os.geteuid()}-{empreinte(voulu)}"  # noqa: S108 (contrôlé à la création)


def fermer_aux_autres(dossier: Path, uid: int) -> None:
    """Crée ce dossier en 0700 pour `uid`. Sous `/tmp`, un dossier préparé par un autre compte est refusé.

    Erreurs : PermissionError si le dossier n'est pas un vrai dossier à nous.
    """
    creer(dossier.parent)
    dossier.mkdir(mode=0o700, exist_ok=True)
    etat = dossier.lstat()
    if not stat.S_ISDIR(etat.st_mode) or etat.st_uid not in {os.geteuid(), uid}:
        raise PermissionError(f"{dossier} appartient à un autre compte")
    dossier.chmod(0o700)
    if etat.st_uid != uid:
        os.chown(dossier, uid, -1)


def socket_file(donnees: Path) -> Path:
    """Socket de la file embarquée (Valkey)."""
    return dossier_socket(donnees, "file", "valkey.sock") / "valkey.sock"
