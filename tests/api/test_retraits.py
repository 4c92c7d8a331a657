"""Ce qui disparaît : suppression, purge, vidage, modification ; et ce qui ne revient pas."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from memoire.models import Interaction
from memoire.services.expiration import purger
from tests.fabriques import ADA, BILAL, POUBELLE, SALON, Banc, configurer_salon, il_y_a, iso, message, reponse


def suppression(*ids: str, **champs: Any) -> dict[str, Any]:
    return {"type": "suppression", "plateforme": "twitch", "ids": list(ids)} | champs


def purge(qui: str, **champs: Any) -> dict[str, Any]:
    return {"type": "purge_auteur", "plateforme": "twitch", "espace": SALON, "auteur": {"id": qui}} | champs


def vidage(**champs: Any) -> dict[str, Any]:
    return {"type": "vidage", "plateforme": "twitch", "espace": SALON} | champs


def modification(ident: str, contenu: str, quand: str, **champs: Any) -> dict[str, Any]:
    base = {"type": "modification", "plateforme": "twitch", "espace": SALON, "id": ident, "contenu": contenu}
    return base | {"modifie_le": quand} | champs


@pytest.mark.exigence("CT-06")
def test_suppression_retire_aussitot_et_ne_garde_rien(banc: Banc) -> None:
    banc.un(message("loutre", id="m1", resultat="r", action="a", contexte={"jeu": "j"}))
    resultat = banc.un(suppression("m1"))
    assert (resultat["id"], resultat["statut"], resultat["nombre"]) == ("m1", "supprime", 1)
    assert banc.dits() == []
    ligne = Interaction.objects.values().get()
    assert {c for c, v in ligne.items() if v is not None} == {
        "id",
        "plateforme",
        "message_id",
        "etat",
        "recu_le",
        "expire_a",
    }
    repetee = banc.un(suppression("m1"))
    assert (repetee["statut"], repetee["nombre"]) == ("supprime", 0)


@pytest.mark.exigence("CT-06")
def test_suppression_connue_avant_le_message_l_emporte(banc: Banc) -> None:
    banc.un(suppression("m1"))
    for contenu in ("zibeline un", "zibeline un", "zibeline deux"):
        assert banc.un(message(contenu, id="m1"))["motif"] == "supprime_avant"
    assert banc.dits() == []


@pytest.mark.exigence("CT-06")
def test_suppression_en_lot_avec_inconnus_et_doublons(banc: Banc) -> None:
    banc.envoyer(*[message(f"loutre {n}", id=f"l{n}") for n in range(1, 6)])
    resultat = banc.un(suppression("l2", "l999", "l4", "l4", "l5"))
    assert (resultat["id"], resultat["nombre"]) == (None, 3)
    assert banc.dits() == ["loutre 1", "loutre 3"]
    assert banc.un(message("trop tard", id="l999"))["motif"] == "supprime_avant"


@pytest.mark.exigence("CT-06")
def test_purge_d_un_auteur_dans_un_seul_espace(banc: Banc) -> None:
    configurer_salon("900200")
    ailleurs = {"id": "900200", "visibilite": "public"}
    banc.envoyer(message("castor a"), message("castor b", auteur={"id": BILAL}), message("castor c", espace=ailleurs))
    assert banc.un(purge(ADA))["nombre"] == 1
    assert (banc.dits(), banc.dits(BILAL), banc.dits(espace=ailleurs)) == ([], ["castor b"], ["castor c"])
    assert banc.un(vidage())["nombre"] == 1
    assert (banc.dits(BILAL), banc.dits(espace=ailleurs)) == ([], ["castor c"])


@pytest.mark.exigence("CT-06")
def test_barriere_arrete_les_arrivees_tardives_et_elles_seules(banc: Banc) -> None:
    banc.un(purge(ADA, jusqu_a=il_y_a(minutes=5)))
    assert banc.un(message("avant", emis_le=il_y_a(minutes=6)))["motif"] == "supprime_avant"
    assert banc.un(message("bilal avant", emis_le=il_y_a(minutes=6), auteur={"id": BILAL}))["statut"] == "memorise"
    assert banc.un(message("après", emis_le=il_y_a(minutes=4)))["statut"] == "memorise"
    banc.un(vidage(jusqu_a=il_y_a(minutes=3)))
    assert (
        banc.un(message("encore avant", emis_le=il_y_a(minutes=4), auteur={"id": BILAL}))["motif"] == "supprime_avant"
    )
    # Une barrière ne recule jamais.
    banc.un(vidage(jusqu_a=il_y_a(hours=2)))
    assert banc.un(message("toujours avant", emis_le=il_y_a(minutes=4)))["motif"] == "supprime_avant"


@pytest.mark.exigence("CT-06")
def test_cible_vide_ou_manquante_n_est_jamais_tout_le_monde(banc: Banc) -> None:
    banc.un(message("je reste"))
    for fautif in (purge(""), {k: v for k, v in purge("x").items() if k != "auteur"}, suppression(), suppression("")):
        assert banc.un(fautif)["statut"] == "invalide"
    assert banc.dits() == ["je reste"]


@pytest.mark.exigence("CT-06")
def test_un_lot_suit_l_ordre_de_la_liste(banc: Banc) -> None:
    statuts = [
        r["motif"] or r["statut"]
        for r in banc.envoyer(
            message("a", id="x"), suppression("x"), message("b", id="x"), vidage(), message("c", id="y")
        )
    ]
    assert statuts[:4] == ["memorise", "supprime", "supprime_avant", "supprime"]
    assert banc.dits() == []


@pytest.mark.exigence("CT-14")
def test_la_reponse_suit_sa_question(banc: Banc) -> None:
    banc.envoyer(
        message("je suis fatigué, putois au travail", id="q1"),
        reponse("Putois au travail ? Courage.", "q1", id="r1"),
        message("bien dit", id="r2", reponse_a="r1", auteur={"id": BILAL}),
    )
    resultat = banc.un(suppression("q1"))
    assert (resultat["nombre"], resultat["a_supprimer"]) == (1, ["r1"])
    assert (banc.dits(), banc.dits(BILAL)) == ([], ["bien dit"])
    assert not Interaction.objects.filter(contenu__icontains="putois").exists()


@pytest.mark.exigence("CT-14")
def test_reponse_tardive_a_une_question_supprimee(banc: Banc) -> None:
    banc.un(suppression("q1"))
    resultat = banc.un(reponse("Putois ?", "q1", id="r1"))
    assert (resultat["motif"], resultat["a_supprimer"]) == ("supprime_avant", ["r1"])
    banc.un(reponse("Blaireau ?", "q2", id="r2"))
    assert banc.un(suppression("q2"))["a_supprimer"] == ["r2"]


@pytest.mark.exigence("CT-06", "CT-14")
def test_question_tardive_sous_une_barriere_emporte_ses_reponses(banc: Banc) -> None:
    banc.un(reponse("tu disais putois", "q1", id="r1"))
    banc.un(purge(ADA))
    resultat = banc.un(message("putois", id="q1", emis_le=il_y_a(minutes=1)))
    assert (resultat["motif"], resultat["a_supprimer"]) == ("supprime_avant", ["r1"])
    assert banc.un(reponse("putois encore", "q1", id="r2"))["motif"] == "supprime_avant"
    banc.un(message("trop vieux", id="q3", emis_le=il_y_a(hours=25)))
    assert banc.un(reponse("reste", "q3"))["motif"] == "supprime_avant"
    assert banc.dits() == []


@pytest.mark.exigence("CT-14")
def test_reponse_emportee_par_purge_et_vidage(banc: Banc) -> None:
    banc.envoyer(message("q", id="q1"), reponse("r", "q1", id="r1"))
    assert banc.un(purge(ADA))["a_supprimer"] == ["r1"]
    banc.envoyer(reponse("seule", None, id="r3"))
    assert banc.un(vidage())["nombre"] == 1
    assert not Interaction.objects.filter(etat="vivante").exists()


@pytest.mark.exigence("CT-14")
def test_une_reponse_n_expire_jamais_apres_sa_question(banc: Banc) -> None:
    banc.envoyer(message("q", id="q1", emis_le=il_y_a(hours=23)), reponse("r", "q1", id="r1"))
    assert len(set(Interaction.objects.values_list("expire_a", flat=True))) == 1
    banc.un(reponse("d'abord", "q2", id="r2"))
    banc.un(message("ensuite", id="q2", emis_le=il_y_a(hours=22)))
    fin = Interaction.objects.get(message_id="q2").expire_a
    assert Interaction.objects.get(message_id="r2").expire_a == fin
    banc.un(reponse("d'abord", "q3", id="r3"))
    assert banc.un(message("trop vieux", id="q3", emis_le=il_y_a(hours=25)))["a_supprimer"] == ["r3"]


@pytest.mark.exigence("CT-06")
def test_purge_du_compte_de_poubelle(banc: Banc) -> None:
    banc.envoyer(message("q", id="q1"), reponse("r", "q1"))
    assert banc.un(purge(POUBELLE))["nombre"] == 1
    assert banc.dits() == ["q"]


@pytest.mark.exigence("CT-07")
def test_modification_remplace_sans_prolonger(banc: Banc) -> None:
    banc.un(message("furet", id="m1", emis_le=il_y_a(hours=1)))
    fin = Interaction.objects.get().expire_a
    assert banc.un(modification("m1", "furet corrigé", il_y_a(minutes=30)))["statut"] == "modifie"
    dernier = il_y_a(minutes=20)
    assert banc.un(modification("m1", "furet final", dernier))["statut"] == "modifie"
    assert banc.un(modification("m1", "furet en retard", il_y_a(minutes=25)))["statut"] == "ignore"
    assert banc.un(modification("m1", "furet rejoué", dernier))["statut"] == "ignore"
    ligne = Interaction.objects.get()
    assert (ligne.contenu, ligne.expire_a) == ("furet final", fin)


@pytest.mark.exigence("CT-07", "CT-14")
def test_modification_en_commande_retire(banc: Banc) -> None:
    banc.envoyer(message("furet", id="m1", emis_le=il_y_a(hours=1)), reponse("Furet !", "m1", id="r1"))
    resultat = banc.un(modification("m1", "!furet", il_y_a(minutes=1)))
    assert (resultat["statut"], resultat["motif"], resultat["a_supprimer"]) == ("supprime", "commande", ["r1"])
    assert banc.un(modification("m1", "furet encore", iso(now())))["statut"] == "ignore"
    assert banc.dits() == []


@pytest.mark.exigence("CT-07")
def test_modification_d_un_inconnu_refuse_l_ancien_texte(banc: Banc) -> None:
    assert banc.un(modification("m1", "nouveau", iso(now())))["statut"] == "ignore"
    assert banc.un(message("ancien", id="m1", emis_le=il_y_a(minutes=5)))["motif"] == "supprime_avant"
    assert not Interaction.objects.filter(contenu__isnull=False).exists()


@pytest.mark.exigence("CT-07")
def test_modifications_d_une_plateforme_en_avance(banc: Banc) -> None:
    def dans(secondes: int) -> str:
        return iso(now() + timedelta(seconds=secondes))

    banc.un(message("furet", id="m1", emis_le=dans(60)))
    assert banc.un(modification("m1", "furet un", dans(90)))["statut"] == "modifie"
    suite = banc.envoyer(modification("m1", "furet deux", dans(100)), modification("m1", "furet trois", dans(110)))
    assert [r["statut"] for r in suite] == ["modifie", "modifie"]
    assert banc.dits() == ["furet trois"]


@pytest.mark.exigence("CT-07", "ID-09", "CT-19")
def test_modification_jugee_sur_l_espace_et_le_compte_de_la_ligne(banc: Banc) -> None:
    from horizon.models import Espace
    from horizon.noyau.decision import EXPLOITATION
    from horizon.services import espaces, identites

    qui: dict[str, Any] = {"par": EXPLOITATION, "maintenant": now()}
    menteur = {"id": "ailleurs", "visibilite": "public"}
    banc.envoyer(*[message(f"f{n}", id=f"m{n}", emis_le=il_y_a(minutes=9)) for n in range(4)])
    pk = Espace.objects.get(externe_id=SALON["id"]).pk
    espaces.fermer(espace_id=pk, **qui)
    assert banc.un(modification("m0", "caché", iso(now()), espace=menteur))["motif"] == "espace_ferme"
    espaces.rouvrir(espace_id=pk, **qui)
    espaces.retirer(plateforme="twitch", externe_id=SALON["id"], **qui)
    assert banc.un(modification("m1", "caché", iso(now())))["motif"] == "espace_non_configure"
    configurer_salon(visibilite="prive")
    assert banc.un(modification("m2", "caché", iso(now())))["motif"] == "prive_sans_poubelle"
    configurer_salon()
    identites.configurer_compte(plateforme="twitch", externe_id=ADA, nature="bot", **qui)
    assert banc.un(modification("m3", "caché", iso(now())))["motif"] == "bot"
    assert not Interaction.objects.filter(etat="vivante").exists()


@pytest.mark.exigence("CT-07", "CT-14")
def test_modifier_un_message_jamais_garde_n_accuse_pas_sa_reponse(banc: Banc) -> None:
    assert banc.un(message("!dice", id="c1"))["motif"] == "commande"
    banc.un(modification("c1", "!dice 20", iso(now())))
    resultat = banc.un(reponse("Tu as fait 17.", "c1", id="rc"))
    assert (resultat["statut"], resultat["a_supprimer"]) == ("memorise", [])
    assert banc.un(suppression("c1"))["a_supprimer"] == ["rc"]
    assert banc.un(reponse("Tu avais fait 17.", "c1"))["motif"] == "supprime_avant"


@pytest.mark.exigence("CT-07", "ID-09")
def test_modification_pendant_une_pause_retire(banc: Banc) -> None:
    banc.un(message("avant la pause", id="m1", emis_le=il_y_a(minutes=5)))
    banc.poster("pauses/", {"personne": {"plateforme": "twitch", "id": ADA}})
    assert banc.un(modification("m1", "pendant", iso(now())))["motif"] == "pause"
    assert banc.dits() == []


@pytest.mark.exigence("CT-13")
def test_releve_retire_les_absents_de_son_intervalle_seulement(banc: Banc) -> None:
    banc.envoyer(*[message(f"m{n}", id=f"r{n}", emis_le=il_y_a(minutes=10 * n)) for n in range(1, 6)])
    banc.un(reponse("à m3", "r3", id="rep"))
    releve = {"type": "releve", "plateforme": "twitch", "espace": SALON}
    bornes = {"depuis": il_y_a(minutes=45), "jusqu_a": il_y_a(minutes=15)}
    resultat = banc.un(releve | bornes | {"ids_vivants": ["r2", "r4"]})
    assert (resultat["statut"], resultat["nombre"], resultat["a_supprimer"]) == ("supprime", 1, ["rep"])
    assert banc.dits() == ["m5", "m4", "m2", "m1"]
    assert (
        banc.un(releve | {"depuis": iso(now()), "jusqu_a": il_y_a(hours=1), "ids_vivants": []})["statut"] == "invalide"
    )
    assert banc.un(releve | bornes | {"ids_vivants": [f"x{n}" for n in range(5001)]})["statut"] == "invalide"


@pytest.mark.exigence("CT-13")
def test_coupure_sans_releve_retire_tout_ce_qui_la_precede(banc: Banc) -> None:
    banc.envoyer(message("avant", emis_le=il_y_a(hours=3)), message("après", emis_le=il_y_a(minutes=5)))
    coupure = {"type": "coupure", "plateforme": "twitch", "espace": SALON}
    bornes = {"debut": il_y_a(hours=2), "fin": il_y_a(hours=1)}
    assert banc.un(coupure | bornes)["nombre"] == 1
    assert banc.un(message("tardive", emis_le=il_y_a(minutes=90)))["motif"] == "supprime_avant"
    assert banc.dits() == ["après"]
    assert banc.un(coupure | {"debut": il_y_a(hours=1), "fin": il_y_a(hours=2)})["statut"] == "invalide"


@pytest.mark.exigence("CT-06", "CT-11")
def test_la_pierre_tombale_survit_au_message_puis_disparait(banc: Banc) -> None:
    banc.un(message("genette", id="m1"))
    banc.un(suppression("m1"))
    purger(now() + timedelta(hours=24))
    assert Interaction.objects.filter(message_id="m1").exists()
    purger(now() + timedelta(hours=24, minutes=6))
    assert not Interaction.objects.exists()
