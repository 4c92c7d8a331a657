"""Les données du garde, versionnées avec le code : règles, déguisements, modèle. Lues une fois, jamais écrites."""

import hashlib
import tomllib
from pathlib import Path
from typing import Any

DOSSIER = Path(__file__).parent


def charger_toml(nom: str) -> dict[str, Any]:
    """Le contenu d'un fichier TOML de ce dossier."""
    return tomllib.loads((DOSSIER / nom).read_text(encoding="utf-8"))


def empreinte(motif: str) -> str:
    """Huit chiffres hexadécimaux qui changent dès qu'un fichier désigné par `motif` change."""
    condense = hashlib.sha256()
    for chemin in sorted(DOSSIER.glob(motif)):
        condense.update(chemin.name.encode() + b"\0" + chemin.read_bytes())
    return condense.hexdigest()[:8]
