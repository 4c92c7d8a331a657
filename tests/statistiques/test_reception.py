"""Ce qui compte, ce qui est écarté et pourquoi ; rien ne compte deux fois ; rien n'est gardé de ce qui fut dit."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from horizon.models import Compte, Espace, Identite
from horizon.noyau.decision import EXPLOITATION
from horizon.noyau.temps import trois_mois_avant
from horizon.services import espaces, identites, pauses, purge
from memoire.models import Interaction
from statistiques.models import Direct, Marque, Observation
from tests.fabriques import ADA, BILAL, POUBELLE, PRIVE, SALON, Banc, configurer_salon, il_y_a, iso, message, reponse
from tests.statistiques.fabriques import (
    activite,
    arrivee,
    direct,
    nombres,
    participation,
    presence,
    ranges,
    revendiquer,
)

TOUTES = [arrivee, presence, participation]


@pytest.mark.exigence("ST-02", "ST-03")
def test_chaque_mesure_se_range_a_part_sur_sa_plateforme(banc: Banc, ada: Identite) -> None:
    revendiquer(ADA, lier=[("discord", "d1"), ("web", "w1")])
    resultats = banc.envoyer(
        arrivee(),
        presence(),
        participation(),
        participation(evenement="defi"),
        participation(evenement="quete"),
        participation(plateforme="discord", auteur={"id": "d1"}),
        participation(plateforme="web", auteur={"id": "w1"}),
        activite(auteur={"id": "w1"}),
    )
    assert {r["statut"] for r in resultats} == {"compte"}
    assert nombres(ada) == {
        ("twitch", "arrivee"): 1,
        ("twitch", "presence"): 1,
        ("twitch", "raid"): 1,
        ("twitch", "defi"): 1,
        ("twitch", "evenement"): 1,
        ("discord", "raid"): 1,
        ("web", "raid"): 1,
        ("web", "activite_web"): 1,
    }


@pytest.mark.exigence("ST-02")
def test_une_mesure_n_existe_que_sur_sa_plateforme(banc: Banc, ada: Identite) -> None:
    revendiquer(ADA, lier=[("discord", ADA), ("web", ADA)])
    configurer_salon("900100", "discord")
    etrangeres = [activite(plateforme="twitch"), presence(plateforme="discord"), arrivee(plateforme="discord")]
    assert {r["statut"] for r in banc.envoyer(*etrangeres)} == {"ignore"}
    assert not Observation.objects.exists()


@pytest.mark.exigence("ST-01", "ST-04")
def test_l_instant_est_garde_a_la_microseconde_et_au_jour_utc(banc: Banc, ada: Identite) -> None:
    instants = [now().replace(hour=h, minute=m, microsecond=123_457) - timedelta(days=3) for h, m in ((23, 59), (0, 0))]
    banc.envoyer(*[participation(instant=iso(t)) for t in instants])
    assert ranges() == {("twitch", "raid"): sorted(instants)}
    assert Observation.objects.get().jour == instants[0].date()


@pytest.mark.exigence("ST-04")
@pytest.mark.parametrize("fuseau", ["+14:00", "-11:00"])
def test_l_instant_d_un_autre_fuseau_va_au_bon_jour(banc: Banc, ada: Identite, fuseau: str) -> None:
    hier = now() - timedelta(days=1)
    assert banc.un(participation(instant=f"{hier:%Y-%m-%d}T12:00:00{fuseau}"))["statut"] == "compte"
    ligne = Observation.objects.get()
    assert ligne.jour == ligne.instants[0].date()


# --- De qui il s'agit.


@pytest.mark.exigence("ST-07")
@pytest.mark.parametrize("fabrique", TOUTES)
def test_une_identite_non_revendiquee_n_est_pas_observee(banc: Banc, fabrique: Any) -> None:
    banc.un(message())
    assert banc.un(fabrique())["statut"] == "ignore"
    revendiquer()
    assert banc.un(fabrique())["statut"] == "compte"


@pytest.mark.exigence("ST-07")
@pytest.mark.parametrize("fabrique", TOUTES)
def test_un_compte_inconnu_n_est_pas_cree(banc: Banc, fabrique: Any) -> None:
    assert banc.un(fabrique(auteur={"id": "jamais-vu"}))["statut"] == "ignore"
    assert not Compte.objects.exists()
    assert not Identite.objects.exists()


@pytest.mark.exigence("ST-07", "ID-10")
def test_ni_bot_ni_compte_fictif(banc: Banc) -> None:
    identites.configurer_compte(plateforme="twitch", externe_id="66", nature="bot", par=EXPLOITATION, maintenant=now())
    fictif = Identite.objects.create(creee_le=now(), revendiquee_le=now())
    Compte.objects.create(plateforme="twitch", externe_id="274598607", identite=fictif)
    for externe in ("66", "274598607"):
        assert banc.un(participation(auteur={"id": externe}))["statut"] == "ignore"
    assert not Observation.objects.exists()


# --- Ce que la Personne et le Capitaine ont voulu.


@pytest.mark.exigence("ID-09", "ST-04")
def test_pause(banc: Banc, ada: Identite) -> None:
    ici = ("twitch", SALON["id"])
    acteurs: dict[str, Any] = {"plateforme": "twitch", "externe_id": ADA, "par": EXPLOITATION, "maintenant": now()}
    pauses.suspendre(espace=ici, **acteurs)
    motifs = [(r["statut"], r["motif"]) for r in banc.envoyer(arrivee(), presence(), participation())]
    # Une participation n'a pas de lieu : une pause d'espace ne la vise pas.
    assert motifs == [("exclu", "pause"), ("exclu", "pause"), ("compte", None)]
    pauses.suspendre(espace=None, **acteurs)
    assert banc.un(participation())["motif"] == "pause"
    assert nombres() == {("twitch", "raid"): 1}


@pytest.mark.exigence("ID-09", "CT-02")
@pytest.mark.parametrize("fabrique", [arrivee, presence])
def test_espace_ferme_ou_non_configure(banc: Banc, ada: Identite, fabrique: Any) -> None:
    ailleurs = {"id": "inconnu", "visibilite": "public"}
    assert banc.un(fabrique(espace=ailleurs))["motif"] == "espace_non_configure"
    espaces.fermer(espace_id=Espace.objects.get().pk, par=EXPLOITATION, maintenant=now())
    resultat = banc.un(fabrique())
    assert (resultat["statut"], resultat["motif"]) == ("exclu", "espace_ferme")
    assert not Observation.objects.exists()
    assert not Marque.objects.exists()


# --- Quand.


@pytest.mark.exigence("ST-04", "SR-14")
def test_bornes_de_la_fenetre_et_du_futur(banc: Banc, ada: Identite) -> None:
    seconde = timedelta(microseconds=1)
    with time_machine.travel("2026-05-31T10:00:00.000001Z", tick=False):
        maintenant, limite = now(), trois_mois_avant(now())
        futur = maintenant + timedelta(minutes=5)
        resultats = banc.envoyer(
            participation(instant=iso(limite)),
            participation(instant=iso(limite + seconde)),
            participation(instant=iso(futur)),
            participation(instant=iso(futur + seconde)),
            presence(debut=iso(maintenant), fin=iso(futur + seconde)),
            presence(debut=iso(limite), fin=iso(maintenant)),
        )
    issues = [(r["statut"], r["motif"]) for r in resultats]
    assert issues == [
        ("ignore", None), ("compte", None), ("compte", None), ("exclu", "futur"), ("exclu", "futur"), ("ignore", None),
    ]  # fmt: skip
    assert limite.isoformat() == "2026-02-28T11:00:00.000001+00:00"
    assert ranges() == {("twitch", "raid"): [limite + seconde, futur]}


@pytest.mark.exigence("SR-08")
def test_presence_a_rebours(banc: Banc, ada: Identite) -> None:
    fautive, bonne = banc.envoyer(presence(debut=il_y_a(hours=1), fin=il_y_a(hours=2)), presence())
    assert (fautive["statut"], fautive["champs"]) == ("invalide", [{"chemin": "debut", "code": "forme"}])
    assert bonne["statut"] == "compte"


# --- Une seule fois.


@pytest.mark.exigence("ST-02", "SR-10")
def test_la_meme_participation_ne_compte_qu_une_fois(banc: Banc, ada: Identite) -> None:
    meme = participation(id="r1")
    assert [r["statut"] for r in banc.envoyer(meme, meme)] == ["compte", "doublon"]
    # Ni un autre instant, ni un autre jour, ni un autre lot n'en font une autre.
    assert banc.un(meme | {"instant": il_y_a(days=2)})["statut"] == "doublon"
    assert nombres() == {("twitch", "raid"): 1}
    revendiquer(BILAL)
    autres: list[dict[str, Any]] = [{"id": "r2"}, {"evenement": "defi"}, {"evenement": "quete"}, {"evenement": "fete"}]
    differentes = [meme | autre for autre in (*autres, {"auteur": {"id": BILAL}})]
    assert {r["statut"] for r in banc.envoyer(*differentes)} == {"compte"}
    assert nombres(ada) == {("twitch", "raid"): 2, ("twitch", "defi"): 1, ("twitch", "evenement"): 2}


@pytest.mark.exigence("ST-02", "SR-10")
def test_la_meme_arrivee_ne_compte_qu_une_fois(banc: Banc, ada: Identite) -> None:
    configurer_salon("900200")
    meme = arrivee(direct="d1")
    ailleurs = meme | {"espace": {"id": "900200", "visibilite": "public"}}
    statuts = [r["statut"] for r in banc.envoyer(meme, meme | {"instant": il_y_a(minutes=3)}, ailleurs)]
    assert statuts == ["compte", "doublon", "compte"]
    assert nombres() == {("twitch", "arrivee"): 2}


@pytest.mark.exigence("ST-02", "SR-10")
def test_presence_repetee_ou_prolongee(banc: Banc, ada: Identite) -> None:
    debut = now() - timedelta(hours=2)
    avant = debut - timedelta(hours=3)
    courte = presence(debut=iso(debut))
    longue = courte | {"fin": il_y_a(minutes=1)}
    autre = presence(debut=iso(avant), fin=iso(debut))
    statuts = [r["statut"] for r in banc.envoyer(courte, courte, longue, courte, autre)]
    assert statuts == ["compte", "doublon", "compte", "doublon", "compte"]
    assert [banc.un(p)["statut"] for p in (courte, longue)] == ["doublon", "doublon"]
    fins = {i: r for o in Observation.objects.all() for i, r in zip(o.instants, o.reperes or (), strict=True)}
    assert {i: iso(r) for i, r in fins.items() if r} == {avant: iso(debut), debut: longue["fin"]}


@pytest.mark.exigence("ST-02", "SR-10")
def test_visite_repetee(banc: Banc) -> None:
    revendiquer(ADA, "web")
    meme = activite()
    assert [r["statut"] for r in banc.envoyer(meme, meme, activite(instant=il_y_a(minutes=1)))] == [
        "compte", "doublon", "compte",
    ]  # fmt: skip
    assert banc.un(meme)["statut"] == "doublon"
    assert nombres() == {("web", "activite_web"): 2}


@pytest.mark.exigence("SR-08")
def test_un_element_ecarte_n_empeche_pas_les_autres(banc: Banc, ada: Identite) -> None:
    resultats = banc.envoyer(
        participation(auteur={"id": "jamais-vu"}),
        message("bonsoir"),
        participation(plateforme="icq"),
        participation(id="r1"),
    )
    assert [r["statut"] for r in resultats] == ["ignore", "memorise", "invalide", "compte"]
    assert [r["id"] for r in resultats][3] == "r1"


# --- Les messages.


@pytest.mark.exigence("ST-02", "ST-07")
def test_un_message_memorise_compte(banc: Banc, ada: Identite) -> None:
    meme = message("bonsoir")
    banc.envoyer(meme, message("encore"), meme, message("de bilal", auteur={"id": BILAL}), message("!commande"))
    banc.envoyer(meme, reponse("oui", meme["id"]), {"type": "vidage", "plateforme": "twitch", "espace": SALON})
    assert nombres() == {("twitch", "message"): 2}
    assert nombres(ada) == nombres()


@pytest.mark.exigence("ST-02")
def test_un_message_prive_compte_comme_un_autre(banc: Banc, ada: Identite) -> None:
    banc.remettre_avis()
    assert banc.un(message("entre nous", espace=PRIVE))["statut"] == "memorise"
    assert nombres() == {("twitch", "message"): 1}


@pytest.mark.exigence("ST-02")
def test_deux_messages_du_meme_instant_sont_deux_messages(banc: Banc, ada: Identite) -> None:
    instant = il_y_a(minutes=1)
    banc.envoyer(message("a", emis_le=instant), message("b", emis_le=instant))
    assert nombres() == {("twitch", "message"): 2}


@pytest.mark.exigence("ST-02", "CT-14")
def test_p_o_u_b_e_l_l_e_n_est_pas_observee(banc: Banc, ada: Identite) -> None:
    question = message("tu dors ?")
    banc.envoyer(question, reponse("jamais", question["id"]))
    assert Interaction.objects.filter(etat="vivante").count() == 2
    assert nombres() == {("twitch", "message"): 1}
    assert not Observation.objects.filter(identite__comptes__externe_id=POUBELLE).exists()


@pytest.mark.exigence("ST-05", "CT-11")
def test_l_effacement_d_un_message_n_annule_pas_l_observation(banc: Banc, ada: Identite) -> None:
    avant, apres = message("a", emis_le=il_y_a(hours=2)), message("b", emis_le=il_y_a(hours=1))
    # Supprimé dans le lot même où il est entré, ou expiré : il a compté.
    banc.envoyer(avant, {"type": "suppression", "plateforme": "twitch", "ids": [avant["id"]]}, apres)
    etablie = ranges()
    assert {cle: len(t) for cle, t in etablie.items()} == {("twitch", "message"): 2}
    # Redit après son effacement, un message supprimé n'entre pas et ne compte pas.
    assert banc.un(avant)["statut"] == "exclu"
    purge.passer(maintenant=now() + timedelta(hours=25), par="commande")
    assert not Interaction.objects.exists()
    assert ranges() == etablie


def tout_pour(gens: list[str], tour: str) -> list[dict[str, Any]]:
    """De quoi passer par tous les chemins, pour chacun ; rien qui ait déjà compté."""
    lot = []
    for externe in gens:
        auteur = {"auteur": {"id": externe}}
        lot += [f(**auteur) for f in (arrivee, presence, participation, activite)]
        lot += [message("bonsoir", **auteur), direct(id=externe + tour, debut=il_y_a(hours=1))]
    return lot


@pytest.mark.exigence("ST-02", "SR-09")
def test_nombre_de_requetes_constant(banc: Banc) -> None:
    gens = [f"p{n}" for n in range(40)]
    for externe in gens:
        revendiquer(externe, lier=[("web", externe)])
    banc.envoyer(*tout_pour(gens, "a"))
    comptes = []
    for tour, presents in (("b", gens[:1]), ("c", gens)):
        with CaptureQueriesContext(connection) as requetes:
            assert {r["statut"] for r in banc.envoyer(*tout_pour(presents, tour))} == {"compte", "memorise"}
        comptes.append(len(requetes))
    assert comptes[0] == comptes[1] < 40
    assert Direct.objects.count() == 81
