"""Journaux en liste blanche : un événement nommé et des clés connues, jamais un message libre (SR-12).

Ce que les bibliothèques écrivent est réduit à « qui, quel niveau, quelle classe d'erreur » : leurs phrases peuvent
contenir une donnée.
"""

import logging
import logging.config
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

CLES = frozenset(
    {
        "timestamp",
        "level",
        "logger",
        "event",
        "erreur",
        "sqlstate",
        "lieu",
        "participant",
        "interaction",
        "abonnement",
        "nombre",
        "essai",
        "statut",
        "methode",
        "route",
        "duree_ms",
        "port",
        "processus",
    }
)
_NOM = re.compile(r"[a-z][a-z0-9_]{0,60}")
_BAVARDS = ("celery.beat", "celery.worker", "django.server")


def ne_garder_que_les_cles_connues(_: object, __: str, evenement: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Retire toute clé hors liste ; le message d'une bibliothèque, même d'un seul mot, n'est jamais rendu."""
    garde = {cle: valeur for cle, valeur in evenement.items() if cle in CLES or cle.startswith("_")}
    if not evenement.get("_from_structlog") or not _NOM.fullmatch(str(garde.get("event", ""))):
        garde["event"] = "message_de_bibliotheque"
    return garde


def resumer_l_exception(_: object, __: str, evenement: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Remplace une exception par sa classe, son code SQL et le lieu du code : jamais son texte."""
    enregistrement = evenement.get("_record")
    info = evenement.pop("exc_info", None) or getattr(enregistrement, "exc_info", None)
    if info is True:
        info = sys.exc_info()
    if isinstance(info, BaseException):
        info = (type(info), info, info.__traceback__)
    if isinstance(info, tuple) and info[0] is not None:
        evenement["erreur"] = info[0].__name__
        evenement["sqlstate"] = getattr(info[1], "sqlstate", None) or getattr(info[1].__cause__, "sqlstate", None)
        trace = info[2]
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        evenement["lieu"] = f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}" if trace else None
    if enregistrement is not None:
        enregistrement.exc_info = enregistrement.exc_text = enregistrement.stack_info = None
    return evenement


def configurer(_: dict[str, Any]) -> None:
    """Point d'entrée de `LOGGING_CONFIG` : tout passe par le même filtre, vers la sortie d'erreur, en JSON."""
    partages: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    formateur = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=partages,
        processors=[
            resumer_l_exception,
            ne_garder_que_les_cles_connues,
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
    )
    sortie = logging.StreamHandler()
    sortie.setFormatter(formateur)
    racine = logging.getLogger()
    racine.handlers = [sortie]
    racine.setLevel(logging.INFO)
    for bavard in _BAVARDS:
        logging.getLogger(bavard).setLevel(logging.WARNING)
    for deja_equipe in ("django", "django.server"):
        # Django les équipe de ses propres sorties, dont un courriel aux administrateurs : tout passe par la racine.
        logging.getLogger(deja_equipe).handlers = []
        logging.getLogger(deja_equipe).propagate = True
    structlog.configure(
        processors=[*partages, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
