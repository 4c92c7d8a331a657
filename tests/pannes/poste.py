"""Parler à un vrai Poste, le tuer par morceaux, et noter ce qu'il a promis."""

import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.exploitation.outils import RACINE, environnement, processus_lies

SALON = {"id": "900100", "visibilite": "public"}
_numeros = itertools.count()


@dataclass
class Poste:
    """Un Poste lancé par `demarrer`, et la clé d'un bot."""

    donnees: Path
    port: int
    cle: str = ""

    def debout(self) -> bool:
        return self.poster("/api/v1/sante/", None)[0] == 200

    def preparer(self) -> None:
        self.manage("configurer_espace", "twitch", "900100", "--visibilite", "public")
        self.cle = self.manage("creer_bot", "essai", "--plateforme", "twitch", "--portee", "tout").splitlines()[-1]

    def manage(self, *arguments: str) -> str:
        """Une commande de `manage.py`, sur la base de ce Poste."""
        env = environnement(self.donnees, HORIZON_BASE_GEREE="1")
        commande = [sys.executable, "manage.py", *arguments]
        return subprocess.run(commande, env=env, cwd=RACINE, capture_output=True, text=True, check=True).stdout.strip()

    def poster(self, chemin: str, corps: Any) -> tuple[int, Any]:
        """(statut, corps lu) ; 0 quand le Poste ne répond pas."""
        octets = None if corps is None else json.dumps(corps).encode()
        requete = urllib.request.Request(f"http://127.0.0.1:{self.port}{chemin}", octets)
        if self.cle:
            requete.add_header("Authorization", f"Bearer {self.cle}")
        try:
            with urllib.request.urlopen(requete, timeout=20) as rendue:
                return rendue.status, json.loads(rendue.read() or b"null")
        except urllib.error.HTTPError as erreur:
            return erreur.code, None
        except (OSError, ValueError):
            return 0, None

    def envoyer(self, *evenements: dict[str, Any]) -> list[dict[str, Any]] | None:
        """Les résultats du lot, ou None s'il n'a pas été accepté."""
        statut, rendu = self.poster("/api/v1/evenements/", {"evenements": list(evenements)})
        return rendu["resultats"] if statut == 200 else None

    def insister(self, *evenements: dict[str, Any]) -> list[dict[str, Any]]:
        """Renvoie le lot jusqu'à ce qu'il soit accepté, comme un bot sérieux."""
        echeance = time.monotonic() + 60
        while time.monotonic() < echeance:
            if (resultats := self.envoyer(*evenements)) is not None:
                return resultats
            time.sleep(0.2)
        raise AssertionError("le Poste n'est pas revenu")

    def lignes(self) -> dict[str, str]:
        """État de chaque message en base."""
        code = (
            "import django, json; django.setup();"
            "from memoire.models import Interaction;"
            "print(json.dumps(dict(Interaction.objects.values_list('message_id', 'etat'))))"
        )
        env = environnement(self.donnees, HORIZON_BASE_GEREE="1", DJANGO_SETTINGS_MODULE="horizon.settings")
        fini = subprocess.run(
            [sys.executable, "-c", code], env=env, cwd=RACINE, capture_output=True, text=True, check=True
        )
        return dict(json.loads(fini.stdout))

    def tuer(self, motif: str) -> None:
        """Tue net chaque programme de ce nom, sans prévenir personne."""
        for pid, ligne in processus_lies(self.donnees).items():
            if motif in ligne and "garde.py" not in ligne:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def message(ident: str, il_y_a: float = 0) -> dict[str, Any]:
    """Un message d'Ada, émis il y a tant de secondes."""
    emis = datetime.now(UTC) - timedelta(seconds=il_y_a)
    return {
        "type": "message", "id": ident, "plateforme": "twitch", "espace": SALON, "nature": "conversation",
        "auteur": {"id": f"p{next(_numeros) % 7}", "pseudonyme": "Ada"}, "contenu": f"genette {ident}",
        "emis_le": emis.isoformat(),
    }  # fmt: skip


def suppression(*ids: str) -> dict[str, Any]:
    return {"type": "suppression", "plateforme": "twitch", "ids": list(ids)}


@dataclass
class Flot:
    """Des bots qui envoient et suppriment sans relâche, et notent ce qui leur a été accordé."""

    poste: Poste
    acceptes: set[str] = field(default_factory=set)
    supprimes: set[str] = field(default_factory=set)
    refus: int = 0
    _fin: threading.Event = field(default_factory=threading.Event)
    _fils: list[threading.Thread] = field(default_factory=list)

    def __enter__(self) -> "Flot":
        self._fils = [threading.Thread(target=self._couler, args=(rang,)) for rang in range(3)]
        for fil in self._fils:
            fil.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._fin.set()
        for fil in self._fils:
            fil.join(60)

    def _couler(self, bot: int) -> None:
        for tour in itertools.count():
            if self._fin.is_set():
                return
            lot = [message(f"b{bot}-{tour}-{n}") for n in range(8)]
            resultats = self.poste.envoyer(*lot)
            if resultats is None:
                self.refus += 1
                time.sleep(0.1)
                continue
            self.acceptes |= {r["id"] for r in resultats if r["statut"] == "memorise"}
            condamnes = [e["id"] for e in lot[:4]]
            if self.poste.envoyer(suppression(*condamnes)) is not None:
                self.supprimes |= set(condamnes)
            else:
                self.refus += 1
                self.acceptes -= set(condamnes)  # accordée ou non avant la coupure : nul ne le sait
