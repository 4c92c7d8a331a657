"""La forme unique d'une décision du Noyau : un code stable, et son effet."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decision:
    """`admis` : l'écriture peut avoir lieu. `code` : motif stable (vide si admis). `texte` : ce qu'il faut garder."""

    admis: bool
    code: str = ""
    texte: str = ""


@dataclass(frozen=True, slots=True)
class Acteur:
    """Qui demande une écriture. `nature` : utilisateur, bot, exploitation ou systeme ; `id` opaque, jamais un nom."""

    nature: str
    id: str = ""


SYSTEME = Acteur("systeme")
EXPLOITATION = Acteur("exploitation")
