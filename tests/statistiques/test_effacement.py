"""Sortir de la fenêtre, passer à une autre Identité, disparaître avec elle."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.utils.timezone import now

from horizon import participants
from horizon.models import Identite
from horizon.noyau.temps import trois_mois_avant
from horizon.services import identites, purge
from statistiques.models import Direct, Marque, Observation
from statistiques.services import effacement
from statistiques.services.absorption import absorber
from statistiques.services.rangement import Observee, ranger
from statistiques.services.unicite import marquer
from tests.fabriques import BILAL, Banc, il_y_a, iso, message
from tests.statistiques.fabriques import arrivee, direct, nombres, participation, presence, ranges, revendiquer

MAINTENANT = datetime(2026, 5, 31, 10, tzinfo=UTC)
MICRO = timedelta(microseconds=1)


def observer(identite: Identite, *instants: datetime, mesure: str = "message", **champs: Any) -> None:
    ranger([Observee(identite.pk, champs.get("plateforme", "twitch"), mesure, t) for t in instants])


@pytest.fixture
def seule(db: None) -> Identite:
    return Identite.objects.create(creee_le=now(), revendiquee_le=now())


@pytest.mark.exigence("ST-04", "ST-01")
def test_purge_a_la_borne_exacte(seule: Identite) -> None:
    limite = trois_mois_avant(MAINTENANT)
    observer(seule, limite - MICRO, limite, limite + MICRO, MAINTENANT)
    observer(seule, limite, mesure="raid")
    observer(seule, limite - timedelta(days=9), plateforme="discord")
    purge.passer(maintenant=MAINTENANT, par="commande")
    assert ranges() == {("twitch", "message"): [limite + MICRO, MAINTENANT]}
    purge.passer(maintenant=MAINTENANT + MICRO, par="commande")
    assert ranges() == {("twitch", "message"): [MAINTENANT]}


@pytest.mark.exigence("ST-04")
def test_la_purge_rogne_les_reperes_avec_leurs_instants(seule: Identite) -> None:
    limite = trois_mois_avant(MAINTENANT)
    ranger(
        [
            Observee(seule.pk, "twitch", "presence", limite - MICRO, MAINTENANT),
            Observee(seule.pk, "twitch", "presence", limite + MICRO, limite + 2 * MICRO),
            Observee(seule.pk, "twitch", "arrivee", limite + MICRO, None),
            Observee(seule.pk, "twitch", "arrivee", limite, limite - MICRO),
        ]
    )
    effacement.purger(MAINTENANT)
    gardees = {o.mesure: (o.instants, o.reperes) for o in Observation.objects.all()}
    assert gardees == {
        "presence": ([limite + MICRO], [limite + 2 * MICRO]),
        "arrivee": ([limite + MICRO], [None]),
    }


@pytest.mark.exigence("ST-04")
def test_la_marque_et_le_direct_partent_a_l_heure(banc: Banc) -> None:
    with time_machine.travel("2026-02-20T20:00:00Z", tick=False):
        revendiquer()
        banc.envoyer(direct(debut=iso(now())), arrivee(direct="d1"), direct(fin=iso(now() + timedelta(minutes=4))))
        depart = now()
    # L'arrivée sort à son instant ; le direct, à sa dernière borne.
    for apres, attendu in ((-MICRO, (1, 1)), (timedelta(0), (0, 1)), (timedelta(minutes=4), (0, 0))):
        effacement.purger(datetime(2026, 5, 20, 19, tzinfo=UTC) + apres)
        assert (Marque.objects.count(), Direct.objects.count()) == attendu
        assert Observation.objects.count() == attendu[0]
    assert depart == datetime(2026, 2, 20, 20, tzinfo=UTC)


@pytest.mark.exigence("ST-04", "SR-10")
def test_la_purge_avance_par_lots_bornes(seule: Identite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effacement, "LOT", 3)
    limite = trois_mois_avant(MAINTENANT)
    observer(seule, *[limite - timedelta(days=n) for n in range(1, 8)], limite + MICRO)
    assert effacement.purger(MAINTENANT) == 7
    assert effacement.purger(MAINTENANT) == 0
    assert nombres() == {("twitch", "message"): 1}


@pytest.mark.exigence("ST-05")
def test_une_purge_d_observations_n_est_pas_un_effacement_de_contenu(seule: Identite) -> None:
    observer(seule, MAINTENANT - timedelta(days=200))
    assert purge.passer(maintenant=MAINTENANT, par="commande") == 0
    assert not Observation.objects.exists()


@pytest.mark.exigence("ID-11", "SR-01")
def test_absorption(seule: Identite) -> None:
    cible = Identite.objects.create(creee_le=now(), revendiquee_le=now())
    observer(seule, MAINTENANT, MAINTENANT + MICRO)
    observer(cible, MAINTENANT)
    observer(seule, MAINTENANT, plateforme="discord")
    observer(seule, MAINTENANT, mesure="activite_web", plateforme="web")
    observer(cible, MAINTENANT, MAINTENANT - MICRO, mesure="activite_web", plateforme="web")
    for qui, heures in ((seule, 2), (cible, 1)):
        debut = MAINTENANT - timedelta(hours=3)
        ranger([Observee(qui.pk, "twitch", "presence", debut, debut + timedelta(hours=heures))])
    marquer([(seule.pk, 1, MAINTENANT), (seule.pk, 2, MAINTENANT)])
    marquer([(cible.pk, 1, MAINTENANT)])
    with transaction.atomic():
        absorber(seule.pk, cible.pk)
    assert not Observation.objects.filter(identite=seule).exists()
    assert not Marque.objects.filter(identite=seule).exists()
    assert nombres(cible) == {
        ("twitch", "message"): 3,  # deux comptes, trois messages
        ("discord", "message"): 1,
        ("web", "activite_web"): 2,  # le même instant une seule fois
        ("twitch", "presence"): 1,
    }
    assert Observation.objects.get(mesure="presence").reperes == [MAINTENANT - timedelta(hours=1)]
    assert set(Marque.objects.values_list("empreinte", flat=True)) == {1, 2}


@pytest.mark.exigence("ID-11")
def test_une_participation_absorbee_reste_connue(banc: Banc, ada: Identite) -> None:
    bilal = revendiquer(BILAL)
    meme = participation(auteur={"id": BILAL})
    banc.un(meme)
    with transaction.atomic():
        identites.absorber(bilal, ada, maintenant=now())
    assert banc.un(meme)["statut"] == "doublon"
    assert nombres(ada) == {("twitch", "raid"): 1}


@pytest.mark.exigence("ID-11", "SR-01")
def test_une_identite_supprimee_emporte_ses_observations(banc: Banc, ada: Identite) -> None:
    banc.envoyer(message(), participation(), presence(), arrivee(), direct(debut=il_y_a(hours=1)))
    assert Observation.objects.count() == 4
    ada.delete()
    assert not Observation.objects.exists()
    assert not Marque.objects.exists()
    # Un direct n'est rien d'une Personne.
    assert Direct.objects.count() == 1


@pytest.mark.exigence("ID-08", "SR-01")
def test_une_identite_observee_est_detenue(banc: Banc, ada: Identite) -> None:
    participant = next(p for p in participants.tous() if p.nom == "statistiques")
    assert participant.detient([ada.pk]) == set()
    banc.un(participation())
    assert participant.detient([ada.pk]) == {ada.pk}
    assert participant.detient([]) == set()
