"""Identités : un compte, une Identité ; rien n'est deviné ; rien ne traîne."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils.timezone import now

from horizon.models import AncienPseudonyme, Compte, Espace, Identite, Pause, Trace
from horizon.noyau.decision import EXPLOITATION
from horizon.services import identites, menage, pauses, purge
from horizon.services.erreurs import Conflit, Refus
from memoire.models import Interaction
from tests.fabriques import ADA, BILAL, PRIVE, SALON, Banc, configurer_salon, creer_banc, il_y_a, message


@pytest.fixture
def banc(db: None) -> Banc:
    configurer_salon()
    return creer_banc()


def revendiquer(externe_id: str = ADA, **champs: Any) -> Identite:
    base: dict[str, Any] = {"plateforme": "twitch", "motif": "vu en direct", "par": EXPLOITATION, "maintenant": now()}
    return identites.revendiquer(externe_id=externe_id, **(base | champs))


@pytest.mark.exigence("ID-01")
def test_un_compte_n_a_qu_une_identite_meme_en_contournant(db: None) -> None:
    identites.creer_manquants([("twitch", ADA)], maintenant=now())
    autre = Identite.objects.create(creee_le=now())
    with pytest.raises(IntegrityError), transaction.atomic():
        Compte.objects.create(plateforme="twitch", externe_id=ADA, identite=autre)
    with pytest.raises(IntegrityError), transaction.atomic():
        Compte.objects.create(plateforme="twitch", externe_id="x", identite=None)
    with pytest.raises(IntegrityError), transaction.atomic():
        Compte.objects.create(plateforme="twitch", externe_id="y", identite=autre, nature="bot")


@pytest.mark.exigence("ID-02")
def test_premier_message_cree_une_identite_non_revendiquee(banc: Banc) -> None:
    banc.envoyer(message("un"), message("deux"))
    banc.un(message("trois"))
    assert Identite.objects.get().revendiquee_le is None
    assert Compte.objects.get().pseudonyme == "Ada"


@pytest.mark.exigence("ID-05")
def test_changement_de_pseudonyme(banc: Banc) -> None:
    banc.un(message("avant", emis_le=il_y_a(hours=2)))
    banc.un(message("après", auteur={"id": ADA, "pseudonyme": "Ada_du_Pont"}, emis_le=il_y_a(hours=1)))
    banc.un(message("en retard", auteur={"id": ADA, "pseudonyme": "Ada"}, emis_le=il_y_a(minutes=90)))
    assert Compte.objects.get().pseudonyme == "Ada_du_Pont"
    assert banc.contexte()["interlocuteur"]["pseudonyme"] == "Ada_du_Pont"
    purge.passer(maintenant=now(), par="commande")
    assert AncienPseudonyme.objects.get().pseudonyme == "Ada"
    purge.passer(maintenant=now() + timedelta(hours=22, minutes=45), par="commande")
    purge.passer(maintenant=now() + timedelta(hours=22, minutes=45), par="commande")
    assert Interaction.objects.filter(contenu="après").exists()
    assert not AncienPseudonyme.objects.exists()


@pytest.mark.exigence("ID-08")
def test_identite_vide_supprimee_apres_trente_jours(banc: Banc) -> None:
    banc.un(message("bonsoir"))
    depart = now()
    purge.passer(maintenant=depart + timedelta(days=29), par="commande")
    assert Identite.objects.exists()
    purge.passer(maintenant=depart + timedelta(days=30, minutes=1), par="commande")
    assert not Identite.objects.exists()
    assert not Compte.objects.exists()


@pytest.mark.exigence("ID-08")
def test_identite_tenue_par_une_donnee_vivante_reste(banc: Banc) -> None:
    banc.envoyer(message("ada"), message("bilal", auteur={"id": BILAL}))
    revendiquer(ADA)
    pauses.suspendre(plateforme="twitch", externe_id=BILAL, espace=None, par=EXPLOITATION, maintenant=now())
    purge.passer(maintenant=now() + timedelta(days=400), par="commande")
    assert set(Compte.objects.values_list("externe_id", flat=True)) == {ADA, BILAL}
    # Un contenu encore en table, même expiré, tient son Identité.
    banc.un(message("chloé", auteur={"id": "99"}))
    assert menage.supprimer_identites_vides(now() + timedelta(days=40)) == 0
    assert Compte.objects.filter(externe_id="99").exists()


@pytest.mark.exigence("ID-05")
def test_dans_un_lot_coupe_le_dernier_pseudonyme_l_emporte(banc: Banc) -> None:
    banc.un(message("un", emis_le=il_y_a(hours=3)))
    banc.envoyer(
        message("deux", auteur={"id": ADA, "pseudonyme": "Zoé"}, emis_le=il_y_a(hours=2)),
        {"type": "suppression", "plateforme": "twitch", "ids": ["ailleurs"]},
        message("trois", emis_le=il_y_a(hours=1)),
    )
    assert Compte.objects.get().pseudonyme == "Ada"


@pytest.mark.exigence("ID-05")
def test_chaque_ancien_pseudonyme_part_a_son_heure(banc: Banc) -> None:
    for n in range(4):
        banc.un(message("x", auteur={"id": ADA, "pseudonyme": f"Nom{n}"}, emis_le=il_y_a(hours=23 - 2 * n)))
    for _ in range(2):  # la première passe efface les contenus, la suivante les noms qu'ils obligeaient à masquer
        purge.passer(maintenant=now() + timedelta(hours=3, minutes=30), par="commande")
    assert set(AncienPseudonyme.objects.values_list("pseudonyme", flat=True)) == {"Nom2"}


@pytest.mark.exigence("ID-08")
def test_un_lot_d_identites_tenues_n_affame_pas_les_suivantes(banc: Banc, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(menage, "LOT", 3)
    banc.envoyer(*[message("x", auteur={"id": f"p{n}"}) for n in range(12)])
    for n in range(6):
        pauses.suspendre(plateforme="twitch", externe_id=f"p{n}", espace=None, par=EXPLOITATION, maintenant=now())
    purge.passer(maintenant=now() + timedelta(days=2), par="commande")
    purge.passer(maintenant=now() + timedelta(days=31), par="commande")
    assert set(Compte.objects.values_list("externe_id", flat=True)) == {f"p{n}" for n in range(6)}


@pytest.mark.exigence("CT-11")
def test_un_espace_jamais_configure_disparait_avec_ce_qu_il_portait(banc: Banc) -> None:
    banc.un({"type": "vidage", "plateforme": "twitch", "espace": {"id": "vide", "visibilite": "public"}})
    banc.remettre_avis()
    banc.un(message("entre nous", espace=PRIVE))
    assert menage.supprimer_espaces_vides() == 0
    purge.passer(maintenant=now() + timedelta(days=2), par="commande")
    purge.passer(maintenant=now() + timedelta(days=2, hours=2), par="commande")
    assert set(Espace.objects.values_list("externe_id", flat=True)) == {"900100"}


@pytest.mark.exigence("ID-08")
def test_l_espace_prive_d_une_identite_supprimee_part_avec_elle(banc: Banc) -> None:
    banc.remettre_avis()
    banc.un(message("entre nous", espace=PRIVE))
    purge.passer(maintenant=now() + timedelta(days=2), par="commande")
    purge.passer(maintenant=now() + timedelta(days=31), par="commande")
    assert not Compte.objects.exists()
    assert not Espace.objects.filter(externe_id="dm-ada").exists()


@pytest.mark.exigence("ID-03", "ID-11")
def test_lier_absorbe_une_identite_non_revendiquee(banc: Banc) -> None:
    configurer_salon("1100", "discord")
    banc.un(message("sur twitch"))
    banc.un(
        message("sur discord", plateforme="discord", espace={"id": "1100", "visibilite": "public"}, auteur={"id": "d1"})
    )
    pauses.suspendre(
        plateforme="discord", externe_id="d1", espace=("discord", "1100"), par=EXPLOITATION, maintenant=now()
    )
    identite = revendiquer(ADA, lier=[("discord", "d1")])
    assert Identite.objects.get() == identite
    assert {c.identite_id for c in Compte.objects.all()} == {identite.pk}
    assert Pause.objects.get().identite_id == identite.pk
    assert {t.action for t in Trace.objects.filter(objet_id=str(identite.pk))} >= {"revendication", "liaison"}
    assert banc.dits() == ["sur twitch"]


@pytest.mark.exigence("ID-11")
def test_deux_identites_revendiquees_demandent_une_fusion_et_rien_ne_bouge(banc: Banc) -> None:
    banc.envoyer(message("a"), message("b", auteur={"id": BILAL}), message("c", auteur={"id": "99"}))
    revendiquer(BILAL)
    with pytest.raises(Conflit, match="fusion"):
        revendiquer(ADA, lier=[("twitch", "99"), ("twitch", BILAL)])
    assert Identite.objects.count() == 3
    assert Identite.objects.filter(revendiquee_le__isnull=False).count() == 1


@pytest.mark.exigence("ID-03", "ID-10")
def test_revendication_refusee(db: None) -> None:
    with pytest.raises(Refus, match="motif"):
        revendiquer(motif=" ")
    with pytest.raises(Refus, match="anonyme"):
        revendiquer("456226577798135808", plateforme="discord")
    with pytest.raises(Refus, match="identifiant"):
        revendiquer(" 77")
    identites.configurer_compte(plateforme="twitch", externe_id="66", nature="bot", par=EXPLOITATION, maintenant=now())
    with pytest.raises(Conflit, match="bot"):
        revendiquer("66")
    assert not Identite.objects.exists()


@pytest.mark.exigence("ID-10", "ID-01")
def test_un_compte_declare_bot_perd_son_identite_vide(banc: Banc) -> None:
    banc.un(message("bip", auteur={"id": "66"}))
    identites.configurer_compte(plateforme="twitch", externe_id="66", nature="bot", par=EXPLOITATION, maintenant=now())
    assert not Identite.objects.exists()
    revendiquer(ADA)
    with pytest.raises(Conflit, match="revendique"):
        identites.configurer_compte(
            plateforme="twitch", externe_id=ADA, nature="bot", par=EXPLOITATION, maintenant=now()
        )


@pytest.mark.exigence("ID-09")
def test_pause_partout_ou_dans_un_espace(banc: Banc) -> None:
    configurer_salon("900200")
    ailleurs = {"id": "900200", "visibilite": "public"}
    qui = {"plateforme": "twitch", "id": ADA}
    ici = {"personne": qui, "espace": {"plateforme": "twitch", "id": SALON["id"]}}
    assert banc.poster("pauses/", ici).status_code == 201
    assert banc.un(message("ici"))["motif"] == "pause"
    assert banc.un(message("ailleurs", espace=ailleurs))["statut"] == "memorise"
    assert banc.un(message("autrui", auteur={"id": BILAL}))["statut"] == "memorise"
    assert banc.poster("pauses/fin/", ici).status_code == 204
    assert banc.un(message("ici encore"))["statut"] == "memorise"
    assert banc.poster("pauses/", {"personne": qui}).status_code == 201
    assert banc.un(message("plus rien", espace=ailleurs))["motif"] == "pause"
    # La fin d'une pause d'espace ne lève pas la pause générale.
    assert banc.poster("pauses/fin/", ici).status_code == 204
    assert banc.un(message("toujours rien"))["motif"] == "pause"
    assert banc.poster("pauses/fin/", {"personne": qui}).status_code == 204
    assert banc.un(message("revenue"))["statut"] == "memorise"


@pytest.mark.exigence("ID-09")
def test_pause_avant_le_premier_mot_et_personne_inconnue(banc: Banc) -> None:
    inconnue = {"personne": {"plateforme": "twitch", "id": "jamais-vue"}}
    assert banc.poster("pauses/fin/", inconnue).status_code == 204
    assert banc.poster("pauses/", inconnue).status_code == 201
    assert banc.un(message("coucou", auteur={"id": "jamais-vue"}))["motif"] == "pause"
    assert not Interaction.objects.exists()


@pytest.mark.exigence("ID-09")
def test_une_pause_sans_cible_est_refusee_par_la_base(banc: Banc) -> None:
    banc.un(message("a"))
    identite = Identite.objects.get()
    espace = Espace.objects.get(externe_id="900100")
    for partout, lieu in ((False, None), (True, espace)):
        with pytest.raises(IntegrityError), transaction.atomic():
            Pause.objects.create(identite=identite, partout=partout, espace=lieu, depuis=now())


@pytest.mark.exigence("ID-09")
def test_espace_ferme_par_le_capitaine(banc: Banc) -> None:
    from horizon.services import espaces

    pk = Espace.objects.get(externe_id="900100").pk
    espaces.fermer(espace_id=pk, par=EXPLOITATION, maintenant=now())
    assert banc.un(message("a"))["motif"] == "espace_ferme"
    espaces.rouvrir(espace_id=pk, par=EXPLOITATION, maintenant=now())
    assert banc.un(message("b"))["statut"] == "memorise"
    espaces.retirer(plateforme="twitch", externe_id="900100", par=EXPLOITATION, maintenant=now())
    assert banc.un(message("c"))["motif"] == "espace_non_configure"
