"""Parler au Poste par son API publique, comme n'importe quel bot ; le servir soi-même si personne ne le sert."""

import http.client
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit
from wsgiref.simple_server import WSGIRequestHandler, make_server

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.db import connections

from horizon.services.erreurs import Refus

SECONDES = 30
BOUCLE_LOCALE = frozenset({"127.0.0.1", "localhost", "::1"})


class Echec(Refus):
    """Le Poste n'a pas répondu comme il le devait : le chargement s'arrête."""

    def __init__(self, message: str) -> None:
        super().__init__("chargement", message, 502)


class _SansRedirection(urllib.request.HTTPRedirectHandler):
    """Suivie, une redirection changerait un POST en GET, et porterait la clé ailleurs."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Client:
    """Un bot : une adresse et une clé. Ni mandataire ni redirection."""

    def __init__(self, base: str, cle: str) -> None:
        if urlsplit(base).scheme not in ("http", "https"):
            raise Echec("L’adresse du Poste s’écrit http://… ou https://…")
        self.base = base.rstrip("/")
        self.entetes = {"Authorization": f"Bearer {cle}", "Content-Type": "application/json"}
        if settings.HOTES and urlsplit(base).hostname in BOUCLE_LOCALE:
            # Derrière son mandataire, le Poste ne répond qu'à son nom public et en TLS : l'annoncer comme lui.
            self.entetes |= {"Host": settings.HOTES[0], "X-Forwarded-Proto": "https"}
        self._ouvreur = urllib.request.build_opener(urllib.request.ProxyHandler({}), _SansRedirection)

    def poster(self, chemin: str, corps: Any, *, attendu: int = 200) -> Any:
        """POST JSON ; rend le corps lu. Tout autre statut, ou pas de réponse : `Echec`."""
        donnees = json.dumps(corps).encode()
        requete = urllib.request.Request(  # noqa: S310 — schéma vérifié à la construction
            f"{self.base}/api/v1/{chemin}", data=donnees, headers=self.entetes, method="POST"
        )
        try:
            with self._ouvreur.open(requete, timeout=SECONDES) as reponse:
                statut, octets = reponse.status, reponse.read()
        except urllib.error.HTTPError as erreur:
            with erreur:
                statut, octets = erreur.code, erreur.read()
        except (OSError, http.client.HTTPException):
            raise Echec(f"Le Poste ne répond pas à l’adresse {self.base}.") from None
        if statut != attendu:
            raise Echec(f"Le Poste a répondu {statut} à « {chemin} » (attendu : {attendu}). {_message(octets)}".strip())
        return json.loads(octets) if octets else None


def _message(octets: bytes) -> str:
    try:
        return str(json.loads(octets)["message"])
    except (ValueError, KeyError, TypeError):
        return ""


class _Muet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Rien : le chargement rend compte lui-même."""


@contextmanager
def servir() -> Iterator[str]:
    """Sert l'application sur la boucle locale, port libre, le temps du bloc ; rend son adresse."""
    serveur = make_server("127.0.0.1", 0, WSGIHandler(), handler_class=_Muet)
    fil = threading.Thread(target=_tourner, args=(serveur,), name="poste-de-demonstration", daemon=True)
    fil.start()
    try:
        yield f"http://127.0.0.1:{serveur.server_port}"
    finally:
        serveur.shutdown()
        fil.join()
        serveur.server_close()


def _tourner(serveur: Any) -> None:
    try:
        serveur.serve_forever(poll_interval=0.05)
    finally:
        # La connexion de ce fil n'appartient qu'à lui : personne d'autre ne la fermerait.
        connections.close_all()
