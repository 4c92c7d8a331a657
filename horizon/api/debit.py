"""Limites de débit par clé et par adresse (SR-11).

La file absente, le cache compte dans chaque processus : l'API continue.
"""

import time
from typing import Any

from django.core.cache import cache
from django.db import DatabaseError, InterfaceError
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from horizon.models import Bot
from horizon.parametres import DEBIT_ADRESSE, DEBIT_CLE, Definition
from horizon.selectors import parametres

FENETRE = 60
_RELECTURE = 5.0
_plafonds: dict[str, tuple[float, int]] = {}


def plafond(definition: Definition) -> int:
    """Plafond courant, relu au plus toutes les cinq secondes."""
    lu_a, valeur = _plafonds.get(definition.cle, (float("-inf"), 0))
    if time.monotonic() - lu_a > _RELECTURE:
        try:
            valeur = parametres.valeur(definition)
        except (DatabaseError, InterfaceError):
            # Base absente : ce n'est pas au débit de le dire, et `sante/` doit pouvoir répondre.
            valeur = valeur or definition.initiale
        _plafonds[definition.cle] = (time.monotonic(), valeur)
    return valeur


def oublier_les_plafonds() -> None:
    """Force la relecture des plafonds au prochain appel."""
    _plafonds.clear()


def _incrementer(cle: str) -> int:
    for _ in range(2):
        try:
            return int(cache.incr(cle))
        except ValueError:
            cache.add(cle, 0, timeout=2 * FENETRE)
    # La file est tombée ou revenue entre deux appels : ce compte repart de rien.
    return 1


def _depasse(sujet: str, maximum: int) -> float | None:
    """Secondes à attendre si le sujet a épuisé sa minute, sinon None."""
    maintenant = time.time()
    if _incrementer(f"debit:{sujet}:{int(maintenant // FENETRE)}") <= maximum:
        return None
    return FENETRE - maintenant % FENETRE


def _sujet(preuve: Any) -> str:
    """Une clé se compte par bot ; les notifications signées de Twitch se comptent ensemble."""
    return str(preuve.pk) if isinstance(preuve, Bot) else "signature"


class ParCle(BaseThrottle):
    """Plafond d'appels par minute et par clé."""

    attente: float | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        if request.auth is not None:
            self.attente = _depasse(f"cle:{_sujet(request.auth)}", plafond(DEBIT_CLE))
        return self.attente is None

    def wait(self) -> float | None:
        return self.attente


class ParAdresse(ParCle):
    """Plafond d'appels par minute et par adresse, pour qui n'a pas de clé."""

    def allow_request(self, request: Request, view: Any) -> bool:
        if request.auth is None:
            self.attente = _depasse(f"adresse:{self.get_ident(request)}", plafond(DEBIT_ADRESSE))
        return self.attente is None


def compter_echec(request: Request) -> None:
    """Compte une clé absente ou fausse ; au-delà du plafond de l'adresse, 429 au lieu de 401."""
    attente = _depasse(f"adresse:{BaseThrottle().get_ident(request)}", plafond(DEBIT_ADRESSE))
    if attente is not None:
        raise Throttled(wait=attente)
