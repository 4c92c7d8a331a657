"""`demarrer` : base → file → migrations → calendriers → web → démonstration → worker → beat → expiration.

Chaque programme tourne sous sa garde (voir `horizon.embarque.garde`) : rien ne survit au superviseur, même tué net.
"""

import os
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TextIO

from horizon.embarque import chemins, postgres, valkey
from horizon.embarque.diagnostic import traduire_systeme
from horizon.embarque.processus import ErreurEmbarquee, borner_journal, lancer, verrou
from horizon.superviseur.accueil import ADRESSE, premiere_page, verifier_port
from horizon.superviseur.services import Embarque, Programme, Supervise, attendre_fin, horloge

SECONDES_PREMIERE_PAGE = 90.0
BATTEMENT = 0.2
SIGNAUX_ARRET = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class ArretDemande(Exception):
    """Ctrl-C ou SIGTERM : le Poste descend proprement."""


@dataclass
class Poste:
    """Le Poste en marche. `hote` : nom public en production, vide en local."""

    racine: Path
    donnees: Path
    port: int
    demo: bool
    hote: str = ""
    services: list[Supervise] = field(default_factory=list)
    arret: bool = False

    def tourner(self) -> int:
        """Lance tout et supervise jusqu'à l'arrêt demandé ; rend le code de sortie, l'échec dit en une phrase."""
        try:
            with verrou(chemins.creer(self.donnees) / "demarrer.verrou", attendre=False):
                verifier_port(self.port)
                return self._vivre()
        except BlockingIOError:
            dire_erreur(
                f"Le Poste tourne déjà avec les données de {self.donnees} : arrêtez-le, "
                "ou donnez un autre dossier par HORIZON_DONNEES."
            )
        except ErreurEmbarquee as erreur:
            dire_erreur(str(erreur))
        except OSError as erreur:
            dire_erreur(str(traduire_systeme(erreur, self.donnees)))
        return 1

    def _vivre(self) -> int:
        for numero in SIGNAUX_ARRET:
            # Lancé par `nohup`, le Poste survit à la fermeture du terminal.
            if numero != signal.SIGHUP or signal.getsignal(numero) != signal.SIG_IGN:
                signal.signal(numero, self._noter_arret)
        try:
            self._monter()
            while True:
                self._battre()
        except ArretDemande:
            dire("Arrêt…")
            return 0
        finally:
            self._descendre()
            dire("Poste arrêté.")

    def _noter_arret(self, _numero: int, _cadre: FrameType | None) -> None:
        # Un drapeau, pas une exception : elle tomberait entre le lancement d'un enfant et son inscription.
        self.arret = True

    def _monter(self) -> None:
        dire("Démarrage…")
        env = self.environnement()
        for service in self._embarques():
            self._ajouter(service)
        self._executer("migrations", env, "migrate", "--no-input")
        self._executer("calendriers", env, "poser_calendriers")
        self._executer("oublis", env, "rejouer_oublis")
        self._ajouter(self._programme("web", env, *web(self.port)))
        self._attendre_premiere_page()
        dire(f"Prêt : http://{ADRESSE}:{self.port}/")
        if self.demo:
            self._charger_demo(env)
        for nom, commande in travaux().items():
            self._ajouter(self._programme(nom, env, *commande))

    def environnement(self) -> dict[str, str]:
        """L'environnement des programmes : le nôtre, les données résolues, et ce que décide `demarrer`."""
        env = {"HORIZON_ADRESSE": f"http://{ADRESSE}:{self.port}"} if not self.hote else {}
        env |= {"DJANGO_SETTINGS_MODULE": "horizon.settings", **os.environ}
        env |= {"HORIZON_DONNEES": str(self.donnees), "PYTHONUNBUFFERED": "1"}
        if self.demo:
            env["HORIZON_DEMO"] = "1"
        if not os.environ.get("DATABASE_URL"):
            env["HORIZON_BASE_GEREE"] = "1"
        return env

    def _embarques(self) -> list[Supervise]:
        donnees = self.donnees
        services: list[Supervise] = []
        if not os.environ.get("DATABASE_URL"):
            services.append(
                Embarque(
                    "base",
                    donnees / "postgres.log",
                    dire,
                    lambda: postgres.assurer(donnees),
                    lambda: postgres.tourne(donnees),
                    postgres.arreter,
                )
            )
        if not os.environ.get("REDIS_URL"):
            services.append(
                Embarque(
                    "file",
                    donnees / "valkey.log",
                    dire,
                    lambda: valkey.assurer(donnees),
                    lambda: valkey.tourne(donnees),
                    valkey.arreter,
                )
            )
        return services

    def _programme(self, nom: str, env: Mapping[str, str], *commande: str) -> Programme:
        return Programme(nom, [sys.executable, *commande], env, self.racine, self._journal(nom), dire)

    def _journal(self, nom: str) -> Path:
        return self.donnees / "journaux" / f"{nom}.log"

    def _ajouter(self, service: Supervise) -> None:
        self._battre()
        self.services.append(service)
        service.demarrer()

    def _battre(self) -> None:
        """Un battement : arrêt demandé ? chacun est-il debout ?"""
        if self.arret:
            raise ArretDemande
        for service in self.services:
            service.surveiller(horloge())
        time.sleep(BATTEMENT)

    def _executer(self, nom: str, env: Mapping[str, str], *arguments: str) -> None:
        """Une commande de `manage.py`, jusqu'au bout. ErreurEmbarquee si elle échoue."""
        if self._manage(nom, env, *arguments):
            raise ErreurEmbarquee(f"« {arguments[0]} » a échoué : la cause est dans {self._journal(nom)}.")

    def _manage(self, nom: str, env: Mapping[str, str], *arguments: str, montrer: bool = False) -> int:
        self._battre()
        commande = [sys.executable, str(self.racine / "manage.py"), *arguments]
        journal = borner_journal(self._journal(nom))
        enfant = lancer(commande, journal=journal, env=env, dossier=self.racine, montrer=montrer)
        return attendre_fin(enfant, self._battre)

    def _charger_demo(self, env: Mapping[str, str]) -> None:
        adresse = f"http://{ADRESSE}:{self.port}"
        if self._manage("demonstration", env, "charger_demo", "--si-vide", "--base", adresse, montrer=True):
            dire(f"La démonstration n'a pas pu être chargée : la cause est dans {self._journal('demonstration')}.")

    def _attendre_premiere_page(self) -> None:
        echeance = horloge() + SECONDES_PREMIERE_PAGE
        while True:
            self._battre()
            code = premiere_page(self.port, self.hote)
            if 200 <= code < 400:
                return
            if horloge() > echeance:
                quoi = f"répond {code}" if code else "ne répond pas"
                raise ErreurEmbarquee(f"La première page {quoi} : la cause est dans {self._journal('web')}.")

    def _descendre(self) -> None:
        """Arrête ceux qui se servent de la base et de la file ensemble, puis la file, puis la base."""
        for numero in SIGNAUX_ARRET:
            signal.signal(numero, signal.SIG_IGN)
        for service in self.services:
            service.demander_arret()
        for service in reversed(self.services):
            service.arreter()


def web(port: int) -> tuple[str, ...]:
    """Granian : deux processus ; quatre fils chacun, pour que soixante connexions suffisent largement à tous."""
    return (
        "-m", "granian", "horizon.wsgi:application", "--interface", "wsgi", "--http", "1", "--no-ws",
        "--host", ADRESSE, "--port", str(port), "--workers", "2", "--blocking-threads", "4", "--backlog", "512",
        "--respawn-failed-workers", "--respawn-interval", "0.5", "--workers-kill-timeout", "5", "--no-access-log",
    )  # fmt: skip


def travaux() -> dict[str, tuple[str, ...]]:
    """Ce qui travaille derrière le web. L'expiration a sa boucle : elle ne dépend pas de la file (CT-04)."""
    celery = ("-m", "celery", "-A", "horizon")
    sobre = ("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING")
    return {
        "worker": (*celery, "worker", "--concurrency", "1", *sobre),
        "beat": (*celery, "beat", "--pidfile", "", "--loglevel", "WARNING"),
        "expiration": ("manage.py", "expirer", "--boucle"),
    }


def dire(texte: str, flux: TextIO | None = None) -> None:
    """Une ligne d'état. Un terminal fermé n'empêche pas l'arrêt propre."""
    with suppress(OSError):
        print(texte, file=flux or sys.stdout, flush=True)


def dire_erreur(texte: str) -> None:
    """Une ligne d'erreur."""
    dire(texte, sys.stderr)
