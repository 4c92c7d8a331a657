"""Le port d'écoute et la première page, vus de l'extérieur comme un navigateur les verrait."""

import http.client
import socket
from urllib.parse import urlsplit

from horizon.embarque.processus import ErreurEmbarquee

ADRESSE = "127.0.0.1"
REDIRECTIONS = 4


def verifier_port(port: int) -> None:
    """ErreurEmbarquee si le port ne peut pas être ouvert : le dire avant de lancer quoi que ce soit."""
    if not 1 <= port <= 65535:
        raise ErreurEmbarquee(f"Le port {port} n'existe pas : choisissez-en un entre 1024 et 65535.")
    with socket.socket() as essai:
        essai.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            essai.bind((ADRESSE, port))
        except PermissionError as erreur:
            raise ErreurEmbarquee(f"Le port {port} est réservé à root : choisissez `--port 8000`.") from erreur
        except OSError as erreur:
            autre = port + 1 if port < 65535 else 8000
            raise ErreurEmbarquee(
                f"Le port {port} est déjà pris : arrêtez l'autre programme ou choisissez `--port {autre}`."
            ) from erreur


def premiere_page(port: int, hote: str) -> int:
    """Code HTTP de la première page, redirections internes suivies ; 0 si rien ne répond encore.

    `hote` : nom public du Poste en production (TLS alors annoncé comme le ferait le mandataire), sinon vide.
    """
    chemin = "/"
    for _ in range(REDIRECTIONS):
        code, suite = _demander(port, chemin, hote)
        if not 300 <= code < 400 or not suite:
            return code
        chemin = urlsplit(suite)._replace(scheme="", netloc="").geturl()
    return code


def _demander(port: int, chemin: str, hote: str) -> tuple[int, str]:
    entetes = {"Accept": "text/html", "Host": hote or f"{ADRESSE}:{port}"}
    if hote:
        entetes["X-Forwarded-Proto"] = "https"
    connexion = http.client.HTTPConnection(ADRESSE, port, timeout=5)
    try:
        connexion.request("GET", chemin, headers=entetes)
        reponse = connexion.getresponse()
        reponse.read()
        return reponse.status, reponse.getheader("Location", "")
    except (OSError, http.client.HTTPException):
        return 0, ""
    finally:
        connexion.close()
