"""La fenêtre de trois mois : calendaire, à Paris, fin de mois bornée, d'accord avec PostgreSQL."""

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from horizon.noyau.temps import AVANCE_TOLEREE, trois_mois_avant, trop_en_avance

PARIS = ZoneInfo("Europe/Paris")
instants = st.datetimes(datetime(1971, 1, 1), datetime(2099, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 — le fuseau vient après


def a_paris(*champs: int, pli: int = 0) -> datetime:
    return datetime(*champs, tzinfo=PARIS, fold=pli)  # type: ignore[arg-type, misc]


@pytest.mark.exigence("ST-01", "SR-14")
@pytest.mark.parametrize(
    ("maintenant", "attendu"),
    [
        (a_paris(2026, 5, 31, 12), a_paris(2026, 2, 28, 12)),
        (a_paris(2028, 5, 31, 12), a_paris(2028, 2, 29, 12)),
        (a_paris(2026, 5, 29, 12), a_paris(2026, 2, 28, 12)),
        (a_paris(2026, 7, 31, 23, 59, 59), a_paris(2026, 4, 30, 23, 59, 59)),
        (a_paris(2027, 1, 15, 8), a_paris(2026, 10, 15, 8)),
        (a_paris(2026, 12, 31), a_paris(2026, 9, 30)),
        (a_paris(2026, 3, 31), a_paris(2025, 12, 31)),
        # Minuit à Paris est encore la veille en UTC : c'est le jour de Paris qui compte.
        (a_paris(2026, 6, 1, 0, 30), a_paris(2026, 3, 1, 0, 30)),
        # De l'heure d'été à l'heure d'hiver : la même heure d'horloge, donc une heure UTC de plus.
        (a_paris(2026, 4, 15, 20), a_paris(2026, 1, 15, 20)),
        # Heure visée inexistante (28 mars 2027, 2 h 30) : lue à l'heure d'hiver, soit 3 h 30.
        (a_paris(2027, 6, 28, 2, 30), datetime(2027, 3, 28, 1, 30, tzinfo=UTC)),
        # Heure visée double (25 octobre 2026, 2 h 30) : la seconde.
        (a_paris(2027, 1, 25, 2, 30), a_paris(2026, 10, 25, 2, 30, pli=1)),
    ],
)
def test_trois_mois_avant(maintenant: datetime, attendu: datetime) -> None:
    assert trois_mois_avant(maintenant) == attendu.astimezone(UTC)


@pytest.mark.exigence("ST-01", "SR-14")
@given(instants)
def test_meme_heure_d_horloge_et_trois_mois_calendaires(instant: datetime) -> None:
    avant = trois_mois_avant(instant)
    local, vise = instant.astimezone(PARIS), avant.astimezone(PARIS)
    assert (local.year * 12 + local.month) - (vise.year * 12 + vise.month) == 3
    assert vise.day == local.day or ((vise + timedelta(days=1)).month != vise.month and vise.day < local.day)
    # Une heure visée inexistante se lit une heure plus tard ; toute autre est la même.
    assert (vise.replace(tzinfo=None) - local.replace(tzinfo=None, year=vise.year, month=vise.month, day=vise.day)) in (
        timedelta(0),
        timedelta(hours=1),
    )
    assert timedelta(days=88) < instant - avant < timedelta(days=93)


@pytest.mark.exigence("ST-01")
@given(instants, st.sampled_from(["UTC", "Asia/Tokyo", "America/New_York", "Europe/Paris"]))
def test_le_fuseau_de_l_appelant_est_sans_effet(instant: datetime, fuseau: str) -> None:
    assert trois_mois_avant(instant.astimezone(ZoneInfo(fuseau))) == trois_mois_avant(instant)


@pytest.mark.exigence("SR-14", "ST-01")
def test_dix_mille_instants_ou_python_et_sql_concordent(db: None) -> None:
    hasard = random.Random(14)
    debut = datetime(1980, 1, 1, tzinfo=UTC)
    tires = [debut + timedelta(microseconds=hasard.randrange(60 * 365 * 86_400 * 10**6)) for _ in range(9_000)]
    # Un millier de plus serrés autour des changements d'heure visés et des fins de mois.
    for annee in range(1996, 2046):
        for mois, jour in ((6, 28), (1, 28), (5, 30), (7, 31), (11, 30)):
            tires += [
                datetime(annee, mois, jour, tzinfo=UTC) + timedelta(seconds=hasard.randrange(-4 * 86_400, 4 * 86_400))
                for _ in range(4)
            ]
    with connection.cursor() as curseur:
        curseur.execute(
            """SELECT (t AT TIME ZONE 'Europe/Paris' - interval '3 months') AT TIME ZONE 'Europe/Paris'
               FROM unnest(%s::timestamptz[]) WITH ORDINALITY AS u(t, n) ORDER BY n""",
            [tires],
        )
        selon_sql = [ligne[0] for ligne in curseur.fetchall()]
    assert len(tires) == len(selon_sql) == 10_000
    assert [t for t, sql in zip(tires, selon_sql, strict=True) if trois_mois_avant(t) != sql] == []


@pytest.mark.exigence("SR-14")
def test_avance_toleree_a_la_microseconde() -> None:
    maintenant = datetime(2026, 11, 30, tzinfo=UTC)
    assert not trop_en_avance(maintenant + AVANCE_TOLEREE, maintenant)
    assert trop_en_avance(maintenant + AVANCE_TOLEREE + timedelta(microseconds=1), maintenant)
