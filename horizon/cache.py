"""Cache partagé qui survit à l'absence de la file : chaque processus se replie alors sur sa propre mémoire (SR-10).

Ce cache ne porte que des compteurs de débit : les perdre ou les compter à part ne trahit aucune promesse.
"""

from collections.abc import Callable
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError


def _tolerante(nom: str) -> Callable[..., Any]:
    def operation(self: "CacheTolerant", *arguments: Any, **options: Any) -> Any:
        try:
            return getattr(RedisCache, nom)(self, *arguments, **options)
        except (RedisError, OSError):
            return getattr(self.repli, nom)(*arguments, **options)

    operation.__name__ = nom
    return operation


class CacheTolerant(RedisCache):
    """`RedisCache` dont chaque opération se replie sur une mémoire locale quand Redis ne répond pas."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self.repli = LocMemCache("repli", {})

    add = _tolerante("add")
    get = _tolerante("get")
    set = _tolerante("set")
    touch = _tolerante("touch")
    delete = _tolerante("delete")
    get_many = _tolerante("get_many")
    has_key = _tolerante("has_key")
    incr = _tolerante("incr")
    set_many = _tolerante("set_many")
    delete_many = _tolerante("delete_many")
    clear = _tolerante("clear")

    def repond(self) -> bool:
        """Vrai si Redis lui-même répond."""
        try:
            super().has_key("sante")
        except (RedisError, OSError):
            return False
        return True
