"""Un service supervisé : démarré, surveillé, relancé avec un recul croissant, abandonné s'il tombe sans cesse."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from horizon.embarque.processus import Enfant, ErreurEmbarquee, borner_journal, lancer

CHUTES_PERMISES = 8
SECONDES_STABLE = 60.0
RECUL_INITIAL = 0.2
RECUL_MAXIMAL = 15.0
SECONDES_ENTRE_CONTROLES = 1.0


class Supervise(Protocol):
    """Ce que le superviseur attend d'un service. `surveiller` lève ErreurEmbarquee quand il renonce."""

    def demarrer(self) -> None: ...
    def surveiller(self, maintenant: float) -> None: ...
    def demander_arret(self) -> None: ...
    def arreter(self) -> None: ...


@dataclass
class Chutes:
    """Compte des chutes rapprochées, et l'instant de la prochaine relance."""

    nom: str
    journal: Path
    dire: Callable[[str], None]
    nombre: int = 0
    derniere: float = 0.0
    repartir_a: float = 0.0

    def noter(self, maintenant: float, cause: str) -> None:
        """Enregistre une chute. ErreurEmbarquee à la première de trop : mieux vaut s'arrêter que tourner en rond."""
        stable = maintenant - self.derniere > SECONDES_STABLE
        self.nombre = 1 if stable else self.nombre + 1
        self.derniere = maintenant
        if self.nombre > CHUTES_PERMISES:
            raise ErreurEmbarquee(
                f"« {self.nom} » tombe sans cesse ({self.nombre} fois de suite) : le Poste s'arrête. "
                f"Corrigez la cause, écrite dans {self.journal}, puis relancez."
            )
        recul = min(RECUL_INITIAL * 2 ** (self.nombre - 1), RECUL_MAXIMAL)
        self.repartir_a = maintenant + recul
        duree = f"{recul:.1f}".replace(".", ",")
        self.dire(f"Chute de « {self.nom} » ({cause}) : relance dans {duree} s.")


@dataclass
class Programme:
    """Un programme du Poste (web, worker, beat, expiration)."""

    nom: str
    commande: list[str]
    env: Mapping[str, str]
    dossier: Path
    journal: Path
    dire: Callable[[str], None]
    delai: float = 10.0
    enfant: Enfant | None = None
    chutes: Chutes = field(init=False)

    def __post_init__(self) -> None:
        self.chutes = Chutes(self.nom, self.journal, self.dire)

    def demarrer(self) -> None:
        """Lance le programme, son journal borné."""
        borner_journal(self.journal)
        self.enfant = lancer(self.commande, journal=self.journal, delai=self.delai, env=self.env, dossier=self.dossier)

    def surveiller(self, maintenant: float) -> None:
        """Relance le programme tombé. Son groupe entier est tué d'abord : un descendant garderait le port."""
        if self.enfant is not None and not self.enfant.vivant():
            code = self.enfant.code()
            self.enfant.arreter()
            self.enfant = None
            self.chutes.noter(maintenant, f"code {code}")
        if self.enfant is None and maintenant >= self.chutes.repartir_a:
            self.demarrer()

    def demander_arret(self) -> None:
        """Demande l'arrêt sans attendre."""
        if self.enfant:
            self.enfant.demander_arret()

    def arreter(self) -> None:
        """Arrête et attend."""
        if self.enfant:
            self.enfant.arreter()
            self.enfant = None


@dataclass
class Embarque:
    """Base ou file embarquée : `assurer` la démarre si elle ne tourne pas, quel que soit qui l'avait démarrée."""

    nom: str
    journal: Path
    dire: Callable[[str], None]
    assurer: Callable[[], object]
    tourne: Callable[[], bool]
    eteindre: Callable[[], None]
    controle_a: float = 0.0
    chutes: Chutes = field(init=False)

    def __post_init__(self) -> None:
        self.chutes = Chutes(self.nom, self.journal, self.dire)

    def demarrer(self) -> None:
        """Démarre, ou lève ErreurEmbarquee : au premier lancement, un échec se dit tout de suite."""
        self.assurer()

    def surveiller(self, maintenant: float) -> None:
        """Relance si elle ne répond plus."""
        if maintenant < max(self.controle_a, self.chutes.repartir_a):
            return
        self.controle_a = maintenant + SECONDES_ENTRE_CONTROLES
        if self.tourne():
            return
        self.chutes.noter(maintenant, "ne répond plus")
        try:
            self.assurer()
        except ErreurEmbarquee as erreur:
            self.dire(str(erreur))

    def demander_arret(self) -> None:
        """Rien d'avance : elle s'arrête après ceux qui s'en servent."""

    def arreter(self) -> None:
        """Arrête et attend."""
        self.eteindre()


def attendre_fin(enfant: Enfant, battre: Callable[[], None]) -> int:
    """Attend la fin d'un programme ponctuel en continuant de superviser ; rend son code. Rien n'en reste."""
    try:
        while enfant.vivant():
            battre()
        return enfant.code()
    finally:
        enfant.arreter()


def horloge() -> float:
    """Horloge du superviseur, en secondes, insensible aux changements d'heure."""
    return time.monotonic()
