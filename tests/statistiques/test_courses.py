"""De vraies connexions simultanées : rien ne compte deux fois, rien ne se perd, rien ne se croise."""

import random
import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils.timezone import now

from horizon.models import Identite
from horizon.services import identites, purge
from statistiques.models import Direct, Marque, Observation
from tests.concurrence.test_courses import ensemble, envoi
from tests.fabriques import ADA, BILAL, Banc, configurer_salon, creer_banc, il_y_a, message
from tests.statistiques.fabriques import activite, arrivee, direct, nombres, participation, presence, revendiquer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def banc(transactional_db: None) -> Banc:
    configurer_salon()
    return creer_banc()


@pytest.fixture
def ada(banc: Banc) -> Identite:
    return revendiquer(ADA, lier=[("web", ADA)])


@pytest.mark.exigence("ST-02", "SR-10")
@pytest.mark.parametrize("fabrique", [participation, arrivee, presence, activite])
def test_vingt_envois_simultanes_de_la_meme_observation(banc: Banc, ada: Identite, fabrique: Any) -> None:
    meme = fabrique()
    statuts = [r[0]["statut"] for r in ensemble(*[envoi(banc, meme)] * 20)]
    assert sorted(statuts) == ["compte"] + ["doublon"] * 19
    assert sum(nombres().values()) == 1


@pytest.mark.exigence("ST-02", "SR-10")
def test_vingt_envois_simultanes_du_meme_direct_et_du_meme_message(banc: Banc, ada: Identite) -> None:
    debut, meme = direct(debut=il_y_a(hours=1)), message("zorille")
    statuts = [[r["statut"] for r in lot] for lot in ensemble(*[envoi(banc, debut, meme)] * 20)]
    assert sorted(d for d, _ in statuts) == ["compte"] + ["ignore"] * 19
    assert sorted(m for _, m in statuts) == ["doublon"] * 19 + ["memorise"]
    assert (Direct.objects.count(), nombres()) == (1, {("twitch", "message"): 1})


@pytest.mark.exigence("ST-02", "SR-10")
def test_lots_croises_sans_perte_ni_interblocage(banc: Banc) -> None:
    gens = [f"p{n}" for n in range(12)]
    for externe in gens:
        revendiquer(externe, lier=[("web", externe)])
    communs = [f(auteur={"id": e}) for e in gens for f in (participation, arrivee, presence, activite, message)]
    hasard = random.Random(3)
    envois = []
    for _ in range(6):
        propres = [message("x", auteur={"id": e}) for e in gens]
        effacement = {"type": "suppression", "plateforme": "twitch", "ids": ["m-inconnu"]}
        lot = [*communs, *propres, direct(fin=il_y_a(minutes=1))]
        envois.append(envoi(banc, *hasard.sample(lot, len(lot)), effacement))
    ensemble(*envois)
    assert nombres() == {
        ("twitch", "raid"): 12,
        ("twitch", "arrivee"): 12,
        ("twitch", "presence"): 12,
        ("web", "activite_web"): 12,
        ("twitch", "message"): 12 * 7,
    }


@pytest.mark.exigence("ST-07", "ID-11")
@pytest.mark.parametrize("tour", range(4))
def test_observations_contre_absorption(banc: Banc, tour: int) -> None:
    """Une arrivée pendant l'absorption tombe d'un côté ou de l'autre, jamais dans le vide."""
    ada, bilal = revendiquer(ADA), revendiquer(BILAL, lier=[("web", "w2")])

    def fusionner() -> None:
        with transaction.atomic():
            # Le compte web de Bilal n'est pas nommé : le verrou de son Identité doit suffire.
            identites.verrouiller([("twitch", ADA), ("twitch", BILAL)])
            time.sleep(0.2)
            identites.absorber(Identite.objects.get(pk=bilal.pk), Identite.objects.get(pk=ada.pk), maintenant=now())

    envois = [
        acte
        for _ in range(4)
        for acte in (
            envoi(banc, participation(auteur={"id": BILAL}), message("x", auteur={"id": BILAL})),
            envoi(banc, participation(plateforme="web", auteur={"id": "w2"})),
        )
    ]
    ensemble(*envois[:4], fusionner, *envois[4:])
    assert nombres(ada) == {("twitch", "raid"): 4, ("web", "raid"): 4, ("twitch", "message"): 4}
    assert Marque.objects.filter(identite=ada).count() == 8
    assert not Identite.objects.filter(pk=bilal.pk).exists()


@pytest.mark.exigence("ST-07")
def test_observations_contre_revendication(banc: Banc) -> None:
    """Ce qui est dit `compte` est rangé, ce qui est dit `ignore` ne l'est pas, à quelque instant que tombe l'aveu."""
    banc.un(message("bonsoir"))
    issues = ensemble(
        *[envoi(banc, participation()) for _ in range(8)],
        lambda: [{"statut": revendiquer() and "fait"}],
        *[envoi(banc, participation()) for _ in range(8)],
    )
    comptees = [r[0]["statut"] for r in issues].count("compte")
    assert nombres() == ({("twitch", "raid"): comptees} if comptees else {})


@pytest.mark.exigence("ST-04")
def test_deux_purges_et_des_arrivees(banc: Banc, ada: Identite) -> None:
    banc.envoyer(*[participation(instant=il_y_a(days=n)) for n in range(1, 40)])
    plus_tard = now() + timedelta(days=70)
    arrivees = [envoi(banc, participation()) for _ in range(6)]
    ensemble(*[lambda: purge.passer(maintenant=plus_tard, par="commande")] * 2, *arrivees)
    purge.passer(maintenant=plus_tard, par="commande")
    restent = sum(nombres().values())
    assert restent == Marque.objects.count()
    assert not [o for o in Observation.objects.all() if o.jour < (now() - timedelta(days=24)).date()]
