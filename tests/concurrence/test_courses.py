"""De vraies connexions simultanées : jamais de résurrection, jamais de double, jamais d'interblocage rendu au bot."""

import random
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.utils.timezone import now

from horizon.models import Compte, Identite, Trace
from horizon.noyau.decision import EXPLOITATION
from horizon.services import identites, parametres, purge
from memoire.models import Interaction
from memoire.parametres import DUREE_COURTE
from tests.fabriques import ADA, BILAL, PRIVE, SALON, Banc, configurer_salon, creer_banc, il_y_a, message, reponse

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def banc(transactional_db: None) -> Banc:
    configurer_salon()
    return creer_banc()


def ensemble(*actes: Callable[[], Any]) -> list[Any]:
    """Lance les actes au même instant, chacun sur sa connexion ; rend leurs résultats, ou lève la première panne."""
    depart = threading.Barrier(len(actes))
    resultats: list[Any] = [None] * len(actes)
    pannes: list[BaseException] = []

    def mener(rang: int, acte: Callable[[], Any]) -> None:
        try:
            depart.wait()
            resultats[rang] = acte()
        except BaseException as erreur:  # noqa: BLE001 — rapportée à l'essai
            pannes.append(erreur)
        finally:
            connection.close()

    fils = [threading.Thread(target=mener, args=(rang, acte)) for rang, acte in enumerate(actes)]
    for fil in fils:
        fil.start()
    for fil in fils:
        fil.join(60)
    assert not any(fil.is_alive() for fil in fils)
    if pannes:
        raise pannes[0]
    return resultats


def envoi(banc: Banc, *evenements: dict[str, Any]) -> Callable[[], list[dict[str, Any]]]:
    return lambda: Banc(banc.cle, banc.bot).envoyer(*evenements)


@pytest.mark.exigence("CT-08", "ID-02")
def test_vingt_envois_simultanes_du_meme_message(banc: Banc) -> None:
    meme = message("zorille", id="m1")
    statuts = [r[0]["statut"] for r in ensemble(*[envoi(banc, meme)] * 20)]
    assert sorted(statuts) == ["doublon"] * 19 + ["memorise"]
    assert (Interaction.objects.count(), Identite.objects.count(), Compte.objects.count()) == (1, 1, 1)


@pytest.mark.exigence("ID-02")
def test_premiers_messages_simultanes_d_un_meme_compte(banc: Banc) -> None:
    ensemble(*[envoi(banc, message(f"n{n}")) for n in range(12)])
    assert (Interaction.objects.count(), Identite.objects.count()) == (12, 1)


@pytest.mark.exigence("CT-06")
@pytest.mark.parametrize("tour", range(8))
def test_suppression_contre_arrivee(banc: Banc, tour: int) -> None:
    supprimer = {"type": "suppression", "plateforme": "twitch", "ids": ["m1"]}
    ensemble(envoi(banc, message("genette", id="m1")), envoi(banc, supprimer), envoi(banc, message("genette", id="m1")))
    assert banc.dits() == []
    assert Interaction.objects.get().contenu is None


@pytest.mark.exigence("CT-06")
@pytest.mark.parametrize("genre", ["purge_auteur", "vidage"])
def test_purge_contre_arrivee(banc: Banc, genre: str) -> None:
    effacer = {
        "type": genre,
        "plateforme": "twitch",
        "espace": SALON,
        "auteur": {"id": ADA},
        "jusqu_a": il_y_a(seconds=5),
    }
    arrivees = [envoi(banc, *[message(f"{n}", emis_le=il_y_a(seconds=6)) for _ in range(20)]) for n in range(5)]
    ensemble(*arrivees, envoi(banc, effacer))
    assert banc.dits() == []
    assert not Interaction.objects.filter(contenu__isnull=False).exists()


@pytest.mark.exigence("CT-14")
@pytest.mark.parametrize("tour", range(6))
def test_reponse_contre_suppression_de_sa_question(banc: Banc, tour: int) -> None:
    banc.un(message("q", id="q1"))
    supprimer = {"type": "suppression", "plateforme": "twitch", "ids": ["q1", "q2"]}
    ensemble(
        envoi(banc, reponse("r", "q1", id="r1")),
        envoi(banc, supprimer),
        envoi(banc, reponse("r", "q2", id="r2")),
    )
    assert banc.dits() == []
    assert not Interaction.objects.filter(message_id="r1", etat="vivante").exists()


@pytest.mark.exigence("CT-08", "SR-10")
def test_lots_croises_sans_interblocage(banc: Banc) -> None:
    lot = [message(f"l{n}", id=f"l{n}", auteur={"id": f"p{n}", "pseudonyme": f"P{n}"}) for n in range(40)]
    hasard = random.Random(7)
    envois = []
    for tour in range(6):
        melange = hasard.sample(lot, len(lot))
        fin = {"type": "suppression", "plateforme": "twitch", "ids": [f"l{tour}"]}
        envois.append(envoi(banc, *melange[:20], fin, *melange[20:]))
    ensemble(*envois)
    vivantes = Interaction.objects.filter(etat="vivante").count()
    assert vivantes == 34
    # Qui n'a rien dit de gardé n'a pas laissé de compte.
    assert 34 <= Identite.objects.count() == Compte.objects.count() <= 40


@pytest.mark.exigence("CT-04")
def test_deux_expirations_ne_comptent_pas_deux_fois(banc: Banc) -> None:
    from datetime import timedelta

    banc.envoyer(*[message(f"m{n}") for n in range(300)])
    plus_tard = now() + timedelta(hours=25)
    effaces = ensemble(*[lambda: purge.passer(maintenant=plus_tard, par="commande")] * 3)
    assert sum(effaces) == 300
    assert not Interaction.objects.exists()


@pytest.mark.exigence("CT-05")
def test_reduire_la_duree_contre_arrivees(banc: Banc) -> None:
    from datetime import timedelta

    from horizon.models import Utilisateur

    chloe = Utilisateur.objects.create(nom="chloe", role="sa")
    arrivees = [envoi(banc, *[message("x", emis_le=il_y_a(minutes=30)) for _ in range(10)]) for _ in range(6)]
    ensemble(*arrivees, lambda: parametres.changer(DUREE_COURTE, 1, version=0, par=chloe, maintenant=now()))
    assert not Interaction.objects.filter(expire_a__gt=now() + timedelta(minutes=31)).exists()


@pytest.mark.exigence("ID-11")
def test_liaisons_croisees_simultanees(banc: Banc) -> None:
    from horizon.services.erreurs import Conflit

    def lier(de: str, vers: str) -> Callable[[], Any]:
        def acte() -> Any:
            try:
                return identites.revendiquer(
                    plateforme="twitch",
                    externe_id=de,
                    lier=[("twitch", vers)],
                    motif="essai",
                    par=EXPLOITATION,
                    maintenant=now(),
                )
            except Conflit:
                return None

        return acte

    banc.envoyer(message("a"), message("b", auteur={"id": BILAL}))
    ensemble(lier(ADA, BILAL), lier(BILAL, ADA))
    assert Identite.objects.count() == 1
    assert {c.identite_id for c in Compte.objects.all()} == {Identite.objects.get().pk}


@pytest.mark.exigence("SR-10", "ID-09")
def test_meme_cle_d_idempotence_simultanee(banc: Banc) -> None:
    corps = {"personne": {"plateforme": "twitch", "id": ADA}}
    statuts = [
        r.status_code
        for r in ensemble(*[lambda: Banc(banc.cle, banc.bot).poster("pauses/", corps, **{"Idempotency-Key": "k"})] * 6)
    ]
    assert statuts == [201] * 6
    assert Trace.objects.filter(action="pause").count() == 1


def intercaler(monkeypatch: pytest.MonkeyPatch, acte: Callable[[], Any]) -> None:
    """Fait passer `acte`, sur sa propre connexion, juste après la première lecture des faits d'un lot."""
    from memoire.services import reception

    vraie = reception.rassembler
    deja: list[bool] = []

    def rassembler(*arguments: Any) -> Any:
        connus = vraie(*arguments)
        if not deja:
            deja.append(True)
            ensemble(acte)
        return connus

    monkeypatch.setattr(reception, "rassembler", rassembler)


@pytest.mark.exigence("ID-09")
def test_pause_entre_la_lecture_et_le_premier_message(banc: Banc, monkeypatch: pytest.MonkeyPatch) -> None:
    corps = {"personne": {"plateforme": "twitch", "id": ADA}}
    intercaler(monkeypatch, lambda: Banc(banc.cle, banc.bot).poster("pauses/", corps))
    assert banc.un(message("trop tard"))["motif"] == "pause"
    assert not Interaction.objects.exists()


@pytest.mark.exigence("CT-06")
def test_vidage_entre_la_lecture_et_le_premier_message_prive(banc: Banc, monkeypatch: pytest.MonkeyPatch) -> None:
    banc.remettre_avis()
    vidage = {"type": "vidage", "plateforme": "twitch", "espace": PRIVE}
    intercaler(monkeypatch, envoi(banc, vidage))
    assert banc.un(message("vison", espace=PRIVE, emis_le=il_y_a(seconds=20)))["motif"] == "supprime_avant"
    assert banc.dits(espace=PRIVE) == []
