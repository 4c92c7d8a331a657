"""Les commandes d'exploitation : leur dernière ligne est un contrat, leurs refus sont des phrases."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django_celery_beat.models import PeriodicTask

from horizon.models import Battement, Bot, Compte, Espace, Identite, Trace, Utilisateur
from horizon.services import calendriers
from tests.fabriques import Banc


def lancer(*arguments: str, **options: Any) -> str:
    sortie = StringIO()
    call_command(*arguments, stdout=sortie, **options)
    return sortie.getvalue().rstrip("\n").split("\n")[-1]


pytestmark = pytest.mark.django_db


@pytest.mark.exigence("SR-05")
def test_creer_bot_montre_sa_cle_seule_sur_la_derniere_ligne(db: None) -> None:
    cle = lancer("creer_bot", "passerelle", "--plateforme", "twitch", "--plateforme", "web", "--portee", "tout")
    bot = Bot.objects.get()
    assert (bot.plateformes, len(bot.portees)) == (["twitch", "web"], 7)
    assert Banc(cle, bot).poster("contexte/", {}).status_code == 400
    for faute in (["--plateforme", "icq", "--portee", "tout"], ["--plateforme", "twitch", "--portee", "rien"]):
        with pytest.raises(CommandError):
            lancer("creer_bot", "x", *faute)


def test_configurer_espace_et_compte(db: None) -> None:
    lancer("configurer_espace", "twitch", "900100", "--visibilite", "public", "--nom", "Le pont")
    assert (Espace.objects.get().configuration, Espace.objects.get().nom) == ("memorise", "Le pont")
    lancer("configurer_espace", "twitch", "900100", "--retirer")
    assert Espace.objects.get().configuration == "retire"
    lancer("configurer_compte", "twitch", "p1", "--role", "poubelle")
    assert (Compte.objects.get().nature, Identite.objects.count()) == ("poubelle", 0)
    lancer("configurer_compte", "twitch", "p1", "--retirer")
    assert (Compte.objects.get().nature, Identite.objects.count()) == ("personne", 1)
    fautes = (
        ["configurer_espace", "twitch", "1"],
        ["configurer_espace", "twitch", "9", "--retirer"],
        ["configurer_espace", "icq", "1", "--visibilite", "public"],
        ["configurer_compte", "twitch", "p1"],
    )
    for faute in fautes:
        with pytest.raises(CommandError):
            lancer(*faute)


@pytest.mark.exigence("ID-03")
def test_revendiquer_est_toujours_trace_avec_son_motif(db: None) -> None:
    lancer("revendiquer", "twitch", "77", "--motif", "vue en direct", "--lier", "discord:d1", "--lier", "web:w1")
    identite = Identite.objects.get()
    assert identite.comptes.count() == 3
    assert set(Trace.objects.values_list("action", "motif")) == {
        ("revendication", "vue en direct"),
        ("liaison", "vue en direct"),
    }
    with pytest.raises(CommandError):
        lancer("revendiquer", "twitch", "77", "--motif", "x", "--lier", "discord")


@pytest.mark.exigence("SR-04")
def test_creer_acces_donne_un_lien_a_usage_unique(client: Any) -> None:
    lien = lancer("creer_acces", "Chloe", "--role", "sa")
    assert not Utilisateur.objects.get().has_usable_password()
    chemin = lien.split("8000", 1)[1]
    page = client.get(chemin, follow=True)
    assert page.status_code == 200
    formulaire = page.request["PATH_INFO"]
    secret = "une phrase assez longue 42"
    assert client.post(formulaire, {"password1": secret, "password2": secret}).status_code in (302, 303)
    assert Utilisateur.objects.get().check_password(secret)
    client.logout()
    client.post(formulaire, {"password1": "autre phrase longue 43", "password2": "autre phrase longue 43"})
    assert Utilisateur.objects.get().check_password(secret)
    assert "password1" not in client.get(chemin, follow=True).content.decode()
    with pytest.raises(CommandError):
        lancer("creer_acces", "chloe", "--role", "sa")


@pytest.mark.exigence("CT-04")
def test_expirer_rend_son_nombre_et_bat(db: None) -> None:
    assert lancer("expirer") == "0"
    assert Battement.objects.filter(nom="commande").exists()


@pytest.mark.exigence("CT-04")
def test_calendriers_poses_deux_fois_n_en_font_qu_un(db: None) -> None:
    from horizon.celery import app

    lancer("poser_calendriers")
    lancer("poser_calendriers")
    assert PeriodicTask.objects.filter(task="horizon.expirer", enabled=True).count() == 1
    app.loader.import_default_modules()
    for _, tache, secondes in calendriers.CALENDRIERS:
        assert tache in app.tasks
        assert secondes <= (60 if tache == "horizon.expirer" else 3600)


@pytest.mark.exigence("CT-04", "SR-12")
def test_la_tache_d_expiration_efface_sans_argument_ni_resultat(db: None) -> None:
    from horizon.tasks import expirer

    assert expirer.apply().result is None
    assert Battement.objects.filter(nom="worker").exists()
