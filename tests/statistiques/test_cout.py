"""Ce que coûte une observation : octets sur disque, microsecondes à l'insertion. Lancé par `-m banc`."""

import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction

from horizon.models import Identite
from statistiques.services.rangement import Observee, ranger
from statistiques.services.unicite import ecarter_connues, marquer

pytestmark = pytest.mark.banc
DEBUT = datetime(2026, 9, 1, tzinfo=UTC)
GENS, JOURS = 200, 30


def octets(table: str) -> int:
    with connection.cursor() as curseur:
        curseur.execute(f"VACUUM FULL {table}")
        curseur.execute("SELECT pg_total_relation_size(%s)", [table])
        return curseur.fetchone()[0]


def mesurer(nom: str, lots: list[list[Observee]], inserer: Callable[[list[Observee]], None], *tables: str) -> None:
    nombre = sum(map(len, lots))
    avant = time.perf_counter()
    for lot in lots:
        with transaction.atomic():
            inserer(lot)
    duree = time.perf_counter() - avant
    taille = sum(octets(table) for table in tables)
    print(f"\n{nom} : {nombre} observations, {taille / nombre:.0f} octets et {duree / nombre * 1e6:.0f} µs l'une")


def lots(gens: list[uuid.UUID], mesure: str, par_jour: int, plateforme: str = "twitch") -> list[list[Observee]]:
    """Des lots de 500 : chaque jour, chacun est observé `par_jour` fois, entrelacé avec les autres."""
    toutes = [
        Observee(g, plateforme, mesure, t := DEBUT + timedelta(days=j, minutes=7 * n), t + timedelta(minutes=5))
        for j in range(JOURS)
        for n in range(par_jour)
        for g in gens
    ]
    return [toutes[n : n + 500] for n in range(0, len(toutes), 500)]


@pytest.fixture
def gens(transactional_db: None) -> list[uuid.UUID]:
    neuves = Identite.objects.bulk_create([Identite(creee_le=DEBUT, revendiquee_le=DEBUT) for _ in range(GENS)])
    return [i.pk for i in neuves]


@pytest.mark.parametrize("par_jour", [1, 10, 100])
def test_cout_d_un_message(gens: list[uuid.UUID], par_jour: int) -> None:
    mesurer(f"message, {par_jour} par jour", lots(gens, "message", par_jour), ranger, "statistiques_observation")


def test_cout_d_un_bavard(gens: list[uuid.UUID]) -> None:
    """Deux mille messages d'une seule Personne le même jour, un par lot : la ligne grossit à chaque fois."""
    un_par_un = [[Observee(gens[0], "twitch", "message", DEBUT + timedelta(seconds=n))] for n in range(2000)]
    mesurer("message, un par lot, 2000 le même jour", un_par_un, ranger, "statistiques_observation")


def test_cout_d_une_participation(gens: list[uuid.UUID]) -> None:
    def inserer(lot: list[Observee]) -> None:
        marquer([(o.identite, hash((o.identite, o.instant)), o.instant) for o in lot])
        ranger(lot)

    tables = ("statistiques_observation", "statistiques_marque")
    mesurer("participation, 2 par jour", lots(gens, "raid", 2), inserer, *tables)


def test_cout_d_une_presence(gens: list[uuid.UUID]) -> None:
    def inserer(lot: list[Observee]) -> None:
        assert all(ecarter_connues(lot))
        ranger(lot, distinctes=True)

    mesurer("présence, 3 par jour", lots(gens, "presence", 3), inserer, "statistiques_observation")
