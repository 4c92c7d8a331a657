"""`charger_demo` : une base vide s’anime, une base de démonstration rajeunit, une vraie base n’est pas touchée."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management.base import CommandError
from django.utils.timezone import now

from horizon.demo import chargement, equipage
from horizon.demo.api import Echec
from horizon.demo.communaute import lire
from horizon.models import Bot, Compte, Espace, Identite, Pause, Trace, Utilisateur
from horizon.noyau.decision import EXPLOITATION
from horizon.services import acces, espaces, identites
from horizon.services.bots import reconnaitre
from memoire.models import CompteurEntree, Interaction
from tests.demo.conftest import Sortie
from tests.fabriques import Banc, creer_banc

Lanceur = Callable[..., Sortie]

EXCLUS = {
    "commande", "bot", "webhook", "annonce", "systeme", "vide", "anonyme", "espace_non_configure", "espace_ferme",
    "groupe_prive", "prive_sans_poubelle", "non_etiquete", "pause", "supprime_avant", "expire", "avis_requis", "futur",
}  # fmt: skip


def _vivantes() -> Any:
    return Interaction.objects.filter(etat="vivante")


def _compteurs() -> Counter[tuple[str, str]]:
    comptes: Counter[tuple[str, str]] = Counter()
    for statut, motif, nombre in CompteurEntree.objects.values_list("statut", "motif", "nombre"):
        comptes[statut, motif] += nombre
    return comptes


# --- Base vide


@pytest.mark.django_db(transaction=True)
def test_une_base_vide_devient_une_communaute_vivante(charger_demo: Lanceur) -> None:
    communaute = lire()
    sortie = charger_demo()
    assert sortie.erreurs == ""
    assert Identite.objects.count() == len(communaute.personnes)
    assert Identite.objects.filter(revendiquee_le__isnull=False).count() == 9
    a_deux = [
        i
        for i in Identite.objects.all()
        if set(i.comptes.values_list("plateforme", flat=True)) == {"twitch", "discord"}
    ]
    assert len(a_deux) == 5
    assert set(Compte.objects.exclude(nature="personne").values_list("plateforme", "nature")) == {
        ("twitch", "poubelle"), ("discord", "poubelle"), ("twitch", "bot"), ("discord", "bot"),
    }  # fmt: skip
    assert set(_vivantes().values_list("plateforme", "visibilite", "auteur")) == {
        (plateforme, visibilite, auteur)
        for plateforme in ("twitch", "discord")
        for visibilite in ("public", "prive")
        for auteur in ("personne", "poubelle")
    }
    assert 250 <= _vivantes().count() <= 350
    assert {motif for statut, motif in _compteurs() if statut == "exclu"} == EXCLUS
    assert not {statut for statut, _ in _compteurs()} & {"invalide", "doublon"}


@pytest.mark.django_db(transaction=True)
def test_rien_d_inadmissible_ni_de_retire_n_est_garde(charger_demo: Lanceur) -> None:
    charger_demo()
    repliques = [r for c in lire().conversations for r in c.repliques]
    gardes = set(_vivantes().values_list("contenu", flat=True))
    assert not gardes & {r.dit for r in repliques if r.exclu or r.devient or r.de == "promo"}
    assert not gardes & {r.dit for r in repliques if r.supprime is not None}
    assert "Je connais le chef. Il loue chez moi. Il est réglo." not in gardes, "réponse à une question supprimée"
    assert "FREIIIINE" in gardes
    assert "🧀" in gardes, "un emoji seul est une parole"
    assert _compteurs()["supprime", "commande"] == 1, "devenu une commande"
    assert not Compte.objects.filter(externe_id="274598607").exists()
    assert not Espace.objects.filter(externe_id__in=("demo-prive-gaspard", "demo-complot", "demo-couture")).exists()
    assert Espace.objects.get(externe_id="demo-nuit").ferme_le is not None
    assert Espace.objects.get(externe_id="demo-soute").configuration == "retire"
    assert Pause.objects.filter(identite__comptes__externe_id="demo-louise", partout=True).count() == 1
    basile = Compte.objects.get(externe_id="demo-basile")
    assert basile.pseudonyme == "Basile (batterie 13 %)"
    assert [a.pseudonyme for a in basile.anciens_pseudonymes.all()] == ["Basile (batterie 12 %)"]


@pytest.mark.django_db(transaction=True)
def test_les_acces_et_les_cles_imprimes_ouvrent(charger_demo: Lanceur) -> None:
    sortie = charger_demo("--si-vide")
    comptes = {c.nom: c for c in Utilisateur.objects.all()}
    assert {nom: c.role for nom, c in comptes.items()} == {"capitaine": "capitaine", "chloe": "sa", "ada": "membre"}
    assert all(c.demonstration for c in comptes.values())
    assert set(sortie.acces) == set(comptes)
    for nom, mot_de_passe in sortie.acces.items():
        assert len(mot_de_passe) >= 16
        assert comptes[nom].check_password(mot_de_passe)
    assert comptes["ada"].identite is not None
    assert comptes["ada"].identite.comptes.count() == 2
    assert set(sortie.cles) == {"passerelle-twitch", "passerelle-discord"}
    actifs = Bot.objects.filter(revoque_le__isnull=True)
    assert {b.nom: b.plateformes for b in actifs} == {
        "passerelle-twitch": ["twitch"],
        "passerelle-discord": ["discord"],
    }
    banc = Banc(sortie.cles["passerelle-discord"], Bot.objects.get(nom="passerelle-discord"))
    machines = {"id": "demo-machines", "visibilite": "public"}
    dits = banc.dits("demo-ada", machines, plateforme="discord")
    assert "je la grave ce soir, promis" in dits
    assert "pince" in " ".join(dits)


# --- Base de démonstration


@pytest.mark.django_db(transaction=True)
def test_recharger_ne_double_rien(charger_demo: Lanceur) -> None:
    charger_demo()
    comptes = set(Compte.objects.values_list("plateforme", "externe_id", "identite_id"))
    dits = Counter(_vivantes().values_list("contenu", flat=True))
    premiers = set(_vivantes().values_list("message_id", flat=True))
    for _ in range(2):
        assert charger_demo().erreurs == ""
    assert set(Compte.objects.values_list("plateforme", "externe_id", "identite_id")) == comptes
    assert Counter(_vivantes().values_list("contenu", flat=True)) == dits
    assert not premiers & set(_vivantes().values_list("message_id", flat=True))
    assert Bot.objects.count() == 3
    assert Utilisateur.objects.count() == 3
    assert Pause.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_redemarrer_renouvelle_les_acces_et_garde_un_chargement_recent(charger_demo: Lanceur) -> None:
    premier = charger_demo("--si-vide")
    messages = set(_vivantes().values_list("message_id", flat=True))
    second = charger_demo("--si-vide")
    assert set(_vivantes().values_list("message_id", flat=True)) == messages
    assert "chargée" not in second.texte
    for avant, apres in ((premier.acces, second.acces), (premier.cles, second.cles)):
        assert avant.keys() == apres.keys()
        assert not set(avant.values()) & set(apres.values())
    compte = Utilisateur.objects.get(nom="capitaine")
    assert compte.check_password(second.acces["capitaine"])
    assert not compte.check_password(premier.acces["capitaine"])
    assert reconnaitre(premier.cles["passerelle-twitch"], maintenant=now()) is None
    assert reconnaitre(second.cles["passerelle-twitch"], maintenant=now()) is not None


@pytest.mark.django_db(transaction=True)
def test_redemarrer_recharge_un_chargement_ancien_ou_interrompu(
    charger_demo: Lanceur, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrompre(*_: object) -> None:
        raise Echec("Le Poste ne répond pas.")

    with monkeypatch.context() as panne:
        panne.setattr(chargement, "_jouer", interrompre)
        with pytest.raises(CommandError, match="ne répond pas"):
            charger_demo()
    assert "chargée" in charger_demo("--si-vide").texte, "interrompu : repris"
    Bot.objects.filter(nom__startswith=equipage.CHARGEMENT).update(cree_le=now() - timedelta(hours=7))
    messages = set(_vivantes().values_list("message_id", flat=True))
    assert "chargée" in charger_demo("--si-vide").texte, "ancien : rechargé"
    assert not messages & set(_vivantes().values_list("message_id", flat=True))


# --- Base réelle


def _un_bot() -> None:
    creer_banc()


def _un_acces() -> None:
    acces.creer(nom="ada", role="membre", par=EXPLOITATION, maintenant=now())


def _une_identite() -> None:
    identites.revendiquer(plateforme="twitch", externe_id="77", motif="essai", par=EXPLOITATION, maintenant=now())


def _un_espace() -> None:
    espaces.configurer(
        plateforme="twitch", externe_id="900100", visibilite="public", par=EXPLOITATION, maintenant=now()
    )


@pytest.mark.django_db
@pytest.mark.parametrize("remplir", [_un_bot, _un_acces, _une_identite, _un_espace])
def test_une_vraie_base_n_est_jamais_touchee(charger_demo: Lanceur, remplir: Callable[[], None]) -> None:
    remplir()

    def etat() -> list[list[Any]]:
        return [list(m._default_manager.values()) for m in (Utilisateur, Bot, Identite, Compte, Espace, Trace)]

    avant = etat()
    sortie = charger_demo("--si-vide")
    assert (sortie.texte, sortie.erreurs) == ("", "")
    with pytest.raises(CommandError, match="vraies données"):
        charger_demo()
    assert etat() == avant
    assert not Interaction.objects.exists()


# --- Adresse donnée


@pytest.mark.django_db(transaction=True)
def test_charger_par_un_poste_deja_servi(
    charger_demo: Lanceur, live_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chargement, "servir", None)
    assert "chargée" in charger_demo("--base", live_server.url).texte
    assert _vivantes().exists()


@pytest.mark.django_db(transaction=True)
def test_une_reponse_inattendue_arrete_le_chargement(charger_demo: Lanceur, live_server: Any) -> None:
    with pytest.raises(CommandError, match=r"a répondu 404 à « \S+ »"):
        charger_demo("--base", f"{live_server.url}/ailleurs")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("base", "phrase"), [("http://127.0.0.1:1", "ne répond pas"), ("ftp://127.0.0.1", "http://"), ("poste", "http://")]
)
def test_une_adresse_fausse_se_dit_en_clair(charger_demo: Lanceur, base: str, phrase: str) -> None:
    with pytest.raises(CommandError, match=phrase):
        charger_demo("--base", base)
