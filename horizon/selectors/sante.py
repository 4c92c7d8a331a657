"""Santé : ce qui marche, ce qui est dégradé et depuis quand. Ne lève jamais."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.cache import caches
from django.db import Error as ErreurDeBase
from django.db import connection
from django.db.models import Max
from django_celery_beat.models import PeriodicTask

from horizon import participants
from horizon.cache import CacheTolerant
from horizon.models import Battement
from horizon.selectors.oublis import en_attente

RETARD_MAXIMAL = timedelta(seconds=60)
SILENCE_ADMIS = timedelta(seconds=90)
PHRASES = {
    "worker": (
        "Les traitements différés avancent.",
        "Les traitements différés n’avancent pas : la boucle d’expiration prend le relais.",
    ),
    "beat": (
        "Les traitements partent à leur heure.",
        "Les traitements ne partent plus d’eux-mêmes : la boucle d’expiration prend le relais.",
    ),
}
"""Ce que la santé dit d'un traitement : (en vie, silencieux)."""


@dataclass(frozen=True, slots=True)
class Point:
    """Un point de santé : `niveau` vaut ok, degrade ou panne ; `depuis` : dernier signe connu."""

    nom: str
    niveau: str
    phrase: str
    depuis: datetime | None = None


@dataclass(frozen=True, slots=True)
class Sante:
    """L'état d'ensemble : le pire de ses points. `retard` : âge du plus vieux contenu expiré encore présent."""

    points: tuple[Point, ...]
    retard: timedelta | None

    @property
    def niveau(self) -> str:
        niveaux = {p.niveau for p in self.points}
        return "panne" if "panne" in niveaux else "degrade" if "degrade" in niveaux else "ok"


def etat(maintenant: datetime) -> Sante:
    """Mesure tous les points. Base absente : un seul point en panne, les autres ne se jugent pas."""
    try:
        connection.ensure_connection()
        retard = max((p.retard(maintenant) for p in participants.tous()), default=timedelta(0))
        battements = dict(Battement.objects.values_list("nom", "vu_le"))
        battements |= _dernier_envoi_de_beat()
        attendus = en_attente(maintenant)
    except (ErreurDeBase, OSError):
        return Sante((Point("base", "panne", "La base de données ne répond pas."), _file()), None)
    points = (
        Point("base", "ok", "La base de données répond."),
        _expiration(retard, battements, maintenant),
        _file(),
        _traitement("worker", battements, maintenant),
        _traitement("beat", battements, maintenant),
        _oublis(len(attendus)),
        Point("llm", "ok", "Le moteur de règles embarqué est disponible."),
    )
    return Sante(points, retard)


def _dernier_envoi_de_beat() -> dict[str, datetime]:
    dernier = PeriodicTask.objects.aggregate(m=Max("last_run_at"))["m"]
    return {"beat": dernier} if dernier else {}


def _expiration(retard: timedelta, battements: dict[str, datetime], maintenant: datetime) -> Point:
    if retard > RETARD_MAXIMAL:
        return Point("expiration", "panne", f"Un contenu expiré attend depuis {_dire(retard)}.")
    vu = max((battements[n] for n in ("boucle", "worker", "commande") if n in battements), default=None)
    if vu is None or maintenant - vu > SILENCE_ADMIS:
        return Point("expiration", "degrade", "Aucune passe d’expiration récente ; rien d’expiré n’est lisible.", vu)
    return Point("expiration", "ok", "Rien d’expiré n’attend.", vu)


def _oublis(nombre: int) -> Point:
    """Une base restaurée a pu ressusciter ce qu'on avait oublié : rien n'est sain avant le rejeu (DR-10)."""
    if nombre:
        mot = "oubli n’est pas rejoué" if nombre == 1 else "oublis ne sont pas rejoués"
        return Point("oublis", "panne", f"{nombre} {mot} : lancer `manage.py rejouer_oublis`.")
    return Point("oublis", "ok", "Tous les oublis prononcés sont appliqués.")


def _dire(duree: timedelta) -> str:
    secondes = int(duree.total_seconds())
    if secondes < 120:
        return f"{secondes} s"
    return f"{secondes // 60} min" if secondes < 7200 else f"{secondes // 3600} h"


def _file() -> Point:
    cache = caches["default"]
    if not (isinstance(cache, CacheTolerant) and cache.repond()):
        return Point("file", "degrade", "La file ne répond pas : l’expiration continue sans elle.")
    return Point("file", "ok", "La file répond.")


def _traitement(nom: str, battements: dict[str, datetime], maintenant: datetime) -> Point:
    vu = battements.get(nom)
    en_vie, silencieux = PHRASES[nom]
    if vu is None or maintenant - vu > SILENCE_ADMIS:
        return Point(nom, "degrade", silencieux, vu)
    return Point(nom, "ok", en_vie, vu)
