"""Pannes vécues ailleurs, rejouées à l'interface : ce qui restait d'un message après sa suppression."""

import threading
from typing import Any

import pytest
from django.db import connection
from django.utils.timezone import now

from memoire.models import Barriere
from tests.fabriques import ADA, BILAL, SALON, Banc, configurer_salon, creer_banc, iso, message, reponse
from tests.fouille import lieux


def suppression(*ids: str) -> dict[str, Any]:
    return {"type": "suppression", "plateforme": "twitch", "ids": list(ids)}


@pytest.mark.django_db(transaction=True)
@pytest.mark.exigence("CT-06")
def test_d13_aucun_lecteur_ne_rend_un_message_supprime(transactional_db: None) -> None:
    """Un cache de lecture répondrait encore : des lecteurs déjà chauds relisent dès l'accusé de la suppression."""
    configurer_salon()
    banc = creer_banc()
    banc.envoyer(message("genette rousse", id="m"), reponse("une genette ?", "m", id="r"))
    chauds, supprime, fautes = threading.Barrier(5), threading.Event(), list[object]()

    def lire() -> None:
        lecteur = Banc(banc.cle, banc.bot)
        try:
            if [lecteur.dits(), lecteur.dits()] != [["genette rousse", "une genette ?"]] * 2:
                fautes.append("lecture froide")
            chauds.wait(30)
            supprime.wait(30)
            fautes.extend(lecteur.dits())
        finally:
            connection.close()

    fils = [threading.Thread(target=lire) for _ in range(4)]
    for fil in fils:
        fil.start()
    chauds.wait(30)
    assert banc.un(suppression("m"))["a_supprimer"] == ["r"]
    supprime.set()
    for fil in fils:
        fil.join(30)
    assert not fautes
    assert lieux.trouver("genette", lieux.base(), lieux.file_et_cache()) == []


@pytest.mark.exigence("SR-12")
def test_d16_aucune_tache_ne_prend_ni_ne_rend_rien() -> None:
    """Ce qu'une tâche reçoit ou rend finit dans la file, ses journaux et ses en-têtes."""
    import inspect

    from horizon.celery import app

    app.loader.import_default_modules()
    notres = {nom: tache for nom, tache in app.tasks.items() if not nom.startswith("celery.")}
    assert set(notres) == {"horizon.expirer", "memoire.relire_souvenirs"}
    for tache in notres.values():
        assert not inspect.signature(tache.run).parameters
        assert tache.ignore_result


@pytest.mark.django_db(transaction=True)
@pytest.mark.exigence("SR-12")
def test_d16_une_tache_qui_echoue_en_citant_le_texte(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Un vrai worker, la vraie file : l'exception cite le message, et rien ne le répète."""
    from celery.contrib.testing.worker import start_worker

    from horizon import tasks
    from horizon.celery import app
    from tests.exploitation.outils import attendre

    passages: list[int] = []

    def citer(**_: object) -> int:
        passages.append(1)
        raise ValueError("raton laveur")

    monkeypatch.setattr(tasks.purge, "passer", citer)
    with start_worker(app, pool="solo", loglevel="DEBUG", perform_ping_check=False, shutdown_timeout=30):
        tasks.expirer.delay()
        assert attendre(lambda: passages, 20)
    dits = "".join(capfd.readouterr())
    assert lieux.trouver("raton laveur", lieux.base(), lieux.file_et_cache(), [("journal", dits.encode())]) == []


@pytest.mark.exigence("CT-12")
def test_un_bannissement_ne_garde_que_le_compte_et_l_instant(banc: Banc) -> None:
    """De l'exclusion ne reste qu'une barrière datée : ni raison, ni modérateur, ni message."""
    banc.envoyer(message("putois", id="p1"), message("reste", id="p2", auteur={"id": BILAL, "pseudonyme": "Bilal"}))
    avant = now()
    charge = {
        "metadata": {"message_type": "notification", "message_id": "n1", "message_timestamp": iso(avant),
                     "subscription_type": "channel.ban"},
        "payload": {"event": {"user_id": ADA, "user_login": "ada", "user_name": "Ada",
                              "broadcaster_user_id": SALON["id"],
                              "moderator_user_id": "moderatrice-31", "moderator_user_name": "Moderatrice31",
                              "reason": "blaireautage-31", "banned_at": iso(avant), "ends_at": None,
                              "is_permanent": True}},
    }  # fmt: skip
    rendue = banc.poster("evenements/twitch/", charge)
    assert [(r["statut"], r["nombre"]) for r in rendue.json()["resultats"]] == [("supprime", 1)]
    assert banc.dits(BILAL) == ["reste"]
    (garde,) = Barriere.objects.values("espace__externe_id", "auteur", "jusqu_a")
    assert garde == {"espace__externe_id": SALON["id"], "auteur": ADA, "jusqu_a": garde["jusqu_a"]}
    assert abs((garde["jusqu_a"] - avant).total_seconds()) < 2
    for mot in ("putois", "blaireautage-31", "moderatrice-31", "Moderatrice31"):
        assert lieux.trouver(mot, lieux.base(), lieux.reponses(rendue)) == [], mot
