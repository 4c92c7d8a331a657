"""Le moteur PostgreSQL de Django, qui démarre la base embarquée au besoin et crée la base qui manque."""

from contextlib import suppress
from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import CommandError
from django.db.backends.postgresql import base
from django.db.utils import OperationalError
from psycopg import sql

from horizon.embarque import postgres
from horizon.embarque.processus import ErreurEmbarquee

SECONDES_CONNEXION = 5


class BaseIndisponible(OperationalError, CommandError):
    """La base embarquée ne démarre pas. CommandError aussi, pour que `manage.py` dise la phrase sans trace."""


class DatabaseWrapper(base.DatabaseWrapper):
    """Connexion à la base embarquée ; HOST, PORT et USER viennent d'elle, jamais des réglages."""

    def get_connection_params(self) -> dict[str, Any]:
        """Paramètres de connexion, la base démarrée."""
        acces = _assurer()
        parametres: dict[str, Any] = super().get_connection_params()
        parametres |= {"host": acces.hote, "port": acces.port, "user": acces.utilisateur}
        parametres.setdefault("connect_timeout", SECONDES_CONNEXION)
        return parametres

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Connexion ; au premier refus, s'assure que la base tourne encore et existe, puis réessaie une fois."""
        try:
            return super().get_new_connection(conn_params)
        except psycopg.OperationalError:
            # La base a pu s'arrêter entre la vérification et la connexion, ou n'avoir jamais été créée.
            _assurer()
            _creer(conn_params)
            return super().get_new_connection(conn_params)


def _assurer() -> postgres.Parametres:
    try:
        return postgres.assurer(settings.DONNEES)
    except ErreurEmbarquee as erreur:
        raise BaseIndisponible(str(erreur)) from None


def _creer(conn_params: dict[str, Any]) -> None:
    """Crée la base demandée si elle n'existe pas ; deux créations simultanées n'en font qu'une."""
    acces = {cle: conn_params[cle] for cle in ("host", "port", "user", "connect_timeout")}
    nom = conn_params["dbname"]
    with psycopg.connect(dbname="postgres", autocommit=True, **acces) as connexion:
        if connexion.execute("select 1 from pg_database where datname = %s", [nom]).fetchone() is None:
            with suppress(psycopg.errors.DuplicateDatabase, psycopg.errors.UniqueViolation):
                connexion.execute(sql.SQL("create database {}").format(sql.Identifier(nom)))
