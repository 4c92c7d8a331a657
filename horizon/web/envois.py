"""Envoi unique : un formulaire dont l'effet ne doit pas se répéter porte un jeton qui ne sert qu'une fois."""

import hashlib
import secrets

from django.core.cache import cache

DUREE = 86_400
"""Secondes pendant lesquelles un jeton déjà servi est reconnu (une session dure moins)."""


def jeton() -> str:
    """Un jeton neuf, à poser dans le formulaire."""
    return secrets.token_urlsafe(16)


def consommer(jeton_: str, *, compte_id: int) -> bool:
    """Vrai au premier envoi de ce jeton par ce compte, faux ensuite. Atomique, même en double clic."""
    return cache.add(f"envoi:{compte_id}:{hashlib.sha256(jeton_.encode()).hexdigest()}", 1, DUREE)
