"""Les messages entrent : admissibles gardés, exclus avec leur motif et rien d'enregistré."""

from typing import Any

import pytest

from horizon.models import Compte, Espace, Identite
from memoire.models import Interaction
from tests.fabriques import ADA, BILAL, PRIVE, SALON, Banc, configurer_salon, message, reponse


@pytest.mark.exigence("CT-01", "CT-02", "NO-07")
def test_message_garde_avec_tous_ses_champs(banc: Banc) -> None:
    envoye = message("le pont est propre", contexte={"jeu": "Factorio"}, action="lancer", resultat="réussi")
    resultat = banc.un(envoye)
    assert (resultat["statut"], resultat["motif"]) == ("memorise", None)
    ligne = Interaction.objects.get()
    assert ligne.espace
    assert ligne.compte
    assert (ligne.contenu, ligne.plateforme, ligne.espace.externe_id) == ("le pont est propre", "twitch", "900100")
    assert (ligne.contexte, ligne.action, ligne.resultat) == (
        {"jeu": "Factorio", "direct": None, "fil": None, "evenement": None},
        "lancer",
        "réussi",
    )
    assert (ligne.compte.externe_id, ligne.auteur, ligne.visibilite, ligne.finalite) == (
        ADA,
        "personne",
        "public",
        "continuite",
    )
    assert banc.dits() == ["le pont est propre"]


@pytest.mark.exigence("CT-01")
def test_chaque_interaction_reste_seule_et_ordonnee(banc: Banc) -> None:
    banc.envoyer(*[message(f"ligne {n}") for n in range(5)])
    assert banc.dits() == [f"ligne {n}" for n in range(5)]


@pytest.mark.exigence("CT-03", "CT-15", "CT-19")
@pytest.mark.parametrize(
    ("champs", "motif"),
    [
        ({"nature": "commande"}, "commande"),
        ({"contenu": "!dice 20"}, "commande"),
        ({"contenu": "/play benne"}, "commande"),
        ({"contenu": "\u200b!dice"}, "commande"),
        ({"contenu": "\u00a0/play"}, "commande"),
        ({"contenu": "!dice \U000e0000"}, "commande"),
        ({"contenu": "\x01ACTION !dice\x01"}, "commande"),
        ({"contenu": "@Capucine_42 !dice 20", "reponse_a": "m0"}, "commande"),
        ({"auteur": {"id": "9", "nature": "bot"}}, "bot"),
        ({"auteur": {"id": "9", "nature": "webhook"}}, "webhook"),
        ({"auteur": {"id": "9", "nature": "systeme"}}, "systeme"),
        ({"nature": "annonce"}, "annonce"),
        ({"nature": "systeme"}, "systeme"),
        ({"contenu": ""}, "vide"),
        ({"contenu": "\u200b\u2060"}, "vide"),
        ({"espace": {"id": "inconnu", "visibilite": "public"}}, "espace_non_configure"),
        ({"espace": {"id": "dm", "visibilite": "prive"}}, "prive_sans_poubelle"),
        ({"espace": {"id": "dm", "visibilite": "prive", "participants": [ADA, BILAL]}}, "prive_sans_poubelle"),
        ({"espace": {"id": "dm", "visibilite": "prive", "participants": [ADA, BILAL, "poubelle"]}}, "groupe_prive"),
        ({"auteur": {"id": "p", "nature": "poubelle"}, "nature": None, "interlocuteur": {"id": ADA}}, "non_etiquete"),
        ({"auteur": {"id": "p", "nature": "poubelle"}, "nature": "annonce", "interlocuteur": {"id": ADA}}, "annonce"),
    ],
)
def test_exclu_avec_motif_et_rien_d_enregistre(banc: Banc, champs: dict[str, Any], motif: str) -> None:
    resultat = banc.un(message(**champs))
    assert (resultat["statut"], resultat["motif"]) == ("exclu", motif)
    assert not Interaction.objects.exists()
    assert not Compte.objects.exists()
    assert not Identite.objects.exists()


@pytest.mark.exigence("CT-15")
@pytest.mark.parametrize(
    "contenu",
    ["!", "!!!", "! attention", "/!\\ spoiler", "🦔🦔🦔", "<:benne:1200000000000000333>", "！dice", "http://x.example/!mot",
     "👩‍👩‍👧‍👦 hermine", "bonjour ‮gpj.tahc‬", "مرحبا بالجميع", "@Capucine_42 !dice"],
)  # fmt: skip
def test_parole_gardee_a_l_octet_pres(banc: Banc, contenu: str) -> None:
    assert banc.un(message(contenu))["statut"] == "memorise"
    assert Interaction.objects.get().contenu == contenu


@pytest.mark.exigence("CT-15")
def test_enveloppe_de_me_retiree(banc: Banc) -> None:
    banc.un(message("\x01ACTION danse avec le hérisson\x01"))
    assert banc.dits() == ["danse avec le hérisson"]


@pytest.mark.exigence("ID-10")
def test_compte_fictif_partage_jamais_une_personne(banc: Banc) -> None:
    configurer_salon("1100", "discord")
    fictif = {"id": "456226577798135808", "pseudonyme": "Deleted User"}
    resultat = banc.un(message(plateforme="discord", espace={"id": "1100", "visibilite": "public"}, auteur=fictif))
    assert resultat["motif"] == "anonyme"
    vers_lui = reponse("adieu", None) | {"plateforme": "discord", "espace": {"id": "1100", "visibilite": "public"}}
    assert banc.un(vers_lui | {"interlocuteur": {"id": fictif["id"]}})["motif"] == "anonyme"
    assert not Compte.objects.exists()


@pytest.mark.exigence("CT-08")
def test_meme_message_renvoye_n_en_garde_qu_un(banc: Banc) -> None:
    premier = message("zorille", id="77")
    autre = message("zorille CHANGÉE", id="77")
    statuts = [r["statut"] for r in banc.envoyer(premier, autre, message("mangouste", id="78"))]
    assert statuts == ["memorise", "doublon", "memorise"]
    assert banc.un(autre)["statut"] == "doublon"
    assert banc.dits() == ["zorille", "mangouste"]


@pytest.mark.exigence("CT-08")
def test_meme_identifiant_sur_deux_plateformes(banc: Banc) -> None:
    configurer_salon("1100", "discord")
    ailleurs = message("vison", id="12", plateforme="discord", espace={"id": "1100", "visibilite": "public"})
    assert [r["statut"] for r in banc.envoyer(message("putois", id="12"), ailleurs)] == ["memorise", "memorise"]
    assert Identite.objects.count() == 2


@pytest.mark.exigence("CT-02", "CT-19")
def test_reponse_conversationnelle_de_poubelle_gardee(banc: Banc) -> None:
    banc.envoyer(message("j'ai adopté un hérisson", id="q1"), reponse("Fais-moi une place dans la benne.", "q1"))
    recents = banc.contexte()["recent"]
    assert [r["auteur"] for r in recents] == ["personne", "poubelle"]
    assert recents[1]["reponse_a"] == "q1"
    assert {r["origine"] for r in recents} == {"ici"}


@pytest.mark.exigence("CT-02")
def test_reponse_sans_interlocuteur_prend_celui_de_sa_question(banc: Banc) -> None:
    banc.un(message("qui va là ?", id="q1"))
    sans = reponse("Moi.", "q1")
    del sans["interlocuteur"]
    assert banc.un(sans)["statut"] == "memorise"
    assert banc.dits() == ["qui va là ?", "Moi."]
    a_personne = reponse("Dans le vide.", None)
    del a_personne["interlocuteur"]
    assert banc.un(a_personne)["motif"] == "non_etiquete"


@pytest.mark.exigence("CT-19")
def test_compte_declare_bot_l_emporte_sur_l_etiquette(banc: Banc) -> None:
    from django.utils.timezone import now

    from horizon.noyau.decision import EXPLOITATION
    from horizon.services.identites import configurer_compte

    configurer_compte(plateforme="twitch", externe_id="55", nature="bot", par=EXPLOITATION, maintenant=now())
    configurer_compte(plateforme="twitch", externe_id="66", nature="poubelle", par=EXPLOITATION, maintenant=now())
    assert banc.un(message(auteur={"id": "55", "nature": "personne"}))["motif"] == "bot"
    assert banc.un(message(auteur={"id": "66", "nature": "personne"}))["motif"] == "non_etiquete"
    assert banc.un(message(interlocuteur=None, auteur={"id": ADA}, nature="annonce"))["motif"] == "annonce"


@pytest.mark.exigence("CT-19")
def test_configuration_privee_prime_sur_l_annonce_publique(banc: Banc) -> None:
    configurer_salon("salon-prive", visibilite="prive")
    lieu = {"id": "salon-prive", "visibilite": "public"}
    assert banc.un(message(espace=lieu))["motif"] == "prive_sans_poubelle"


@pytest.mark.exigence("CT-19")
def test_espace_devenu_prive_n_est_plus_projete_en_public(banc: Banc) -> None:
    banc.un(message("dit en public"))
    configurer_salon(visibilite="prive")
    assert Interaction.objects.get().visibilite == "public"
    assert banc.dits() == []
    configurer_salon(visibilite="public")
    assert banc.dits() == ["dit en public"]


@pytest.mark.exigence("CT-09")
def test_prive_rien_garde_avant_l_avis(banc: Banc) -> None:
    secret = message("je déménage", espace=PRIVE, id="p1")
    resultat = banc.un(secret)
    assert (resultat["statut"], resultat["motif"]) == ("exclu", "avis_requis")
    assert "24 h" in resultat["avis"]["texte"]
    assert resultat["avis"]["duree"] == "PT24H"
    assert not Interaction.objects.exists()
    assert not Compte.objects.exists()
    assert banc.poster("avis/remise/", {"jeton": resultat["avis"]["jeton"]}).status_code == 200
    assert banc.un(secret)["statut"] == "memorise"
    assert banc.dits(espace=PRIVE) == ["je déménage"]
    assert banc.poster("avis/remise/", {"jeton": "faux"}).status_code == 410


@pytest.mark.exigence("CT-02")
def test_prive_n_est_rendu_qu_a_sa_personne_en_prive(banc: Banc) -> None:
    banc.remettre_avis()
    banc.un(message("je déménage", espace=PRIVE))
    banc.un(message("bonsoir le chat"))
    assert banc.dits(espace=PRIVE) == ["je déménage"]
    assert banc.dits() == ["bonsoir le chat"]
    assert banc.dits(espace={"id": "dm-ada", "visibilite": "public"}) == []
    assert banc.dits(BILAL, PRIVE) == []


@pytest.mark.exigence("CT-02", "CT-19")
def test_prive_annonce_dans_un_salon_public_n_y_parait_jamais(banc: Banc) -> None:
    lieu = {"id": SALON["id"], "visibilite": "prive", "participants": [ADA, "poubelle"]}
    assert banc.un(message("à mi-voix", espace=lieu))["motif"] == "prive_sans_poubelle"
    assert not Interaction.objects.exists()


@pytest.mark.exigence("CT-02")
def test_echange_prive_n_appartient_qu_a_une_personne(banc: Banc) -> None:
    banc.remettre_avis()
    banc.un(message("à moi", espace=PRIVE))
    autre = {"id": "dm-ada", "visibilite": "prive", "participants": [BILAL, "poubelle"]}
    assert banc.un(message("à moi aussi", espace=autre, auteur={"id": BILAL}))["motif"] == "groupe_prive"


@pytest.mark.exigence("CT-09")
def test_premier_lot_d_un_echange_prive_entre_entier(banc: Banc) -> None:
    banc.remettre_avis()
    suite = [message(f"confidence {n}", espace=PRIVE) for n in range(3)]
    suite.append(reponse("Je garde ça pour nous.", None, espace=PRIVE))
    assert [r["statut"] for r in banc.envoyer(*suite)] == ["memorise"] * 4
    assert len(banc.dits(espace=PRIVE)) == 4


@pytest.mark.exigence("CT-17")
@pytest.mark.parametrize(
    "champs",
    [
        {"contexte": {"secret": "canari"}},
        {"contexte": {"jeu": "x" * 101}},
        {"action": "Une phrase."},
        {"resultat": "x" * 201},
    ],
)
def test_contexte_action_resultat_ont_un_schema_ferme(banc: Banc, champs: dict[str, Any]) -> None:
    resultat = banc.un(message(**champs))
    assert (resultat["statut"], resultat["motif"]) == ("invalide", "forme")
    assert "canari" not in str(resultat)


@pytest.mark.exigence("CT-17")
def test_champs_hors_contrat_ignores(banc: Banc) -> None:
    assert banc.un(message(badges=["canari"], espace=SALON | {"topic": "canari"}))["statut"] == "memorise"
    assert "canari" not in str(Interaction.objects.values())


@pytest.mark.exigence("CT-18")
def test_un_texte_sensible_reste_en_memoire_courte(banc: Banc) -> None:
    assert banc.un(message("je suis diabétique et je vote demain"))["statut"] == "memorise"


@pytest.mark.exigence("ID-09", "CT-02")
def test_pause_tenue_meme_pour_une_reponse_sans_interlocuteur(banc: Banc) -> None:
    banc.un(message("q", id="q1"))
    banc.poster("pauses/", {"personne": {"plateforme": "twitch", "id": ADA}})
    sans = reponse("je me souviens de toi", "q1")
    del sans["interlocuteur"]
    assert banc.un(sans)["motif"] == "pause"
    assert banc.un(reponse("encore", "q1"))["motif"] == "pause"


@pytest.mark.exigence("CT-02", "CT-19", "DV-05")
def test_reponse_qui_ne_concorde_pas_avec_sa_question(banc: Banc) -> None:
    configurer_salon("900200")
    banc.envoyer(message("q de bilal", id="qb", auteur={"id": BILAL}), message("q d'ada", id="qa"))
    assert banc.un(reponse("à qui ?", "qb"))["motif"] == "non_etiquete"
    assert banc.un(reponse("où ?", "qa", espace={"id": "900200", "visibilite": "public"}))["motif"] == "non_etiquete"
    banc.remettre_avis()
    banc.un(message("secret", id="qp", espace=PRIVE))
    publique = reponse("ton secret", "qp")
    del publique["interlocuteur"]
    assert banc.un(publique)["motif"] == "non_etiquete"
    assert banc.un(reponse("chut", "qp", espace=PRIVE))["statut"] == "memorise"
    assert banc.dits() == ["q d'ada"]


@pytest.mark.exigence("CT-03", "CT-19")
def test_poubelle_ne_se_parle_pas_a_elle_meme(banc: Banc) -> None:
    from tests.fabriques import POUBELLE

    assert banc.un(reponse("miroir", None) | {"interlocuteur": {"id": POUBELLE}})["motif"] == "non_etiquete"
    assert not Compte.objects.exists()
    assert banc.un(reponse("bonsoir", None))["statut"] == "memorise"


@pytest.mark.exigence("CT-03", "CT-06")
def test_un_message_supprime_avant_d_arriver_ne_cree_personne(banc: Banc) -> None:
    banc.remettre_avis()
    banc.un({"type": "suppression", "plateforme": "twitch", "ids": ["m1", "m2"]})
    assert banc.un(message("zibeline", id="m1", auteur={"id": "999", "pseudonyme": "Zoe"}))["motif"] == "supprime_avant"
    assert not Compte.objects.filter(externe_id="999").exists()
    assert Identite.objects.count() == 1
    assert banc.un(message("zibeline", id="m2", espace=PRIVE))["motif"] == "supprime_avant"
    assert not Espace.objects.filter(interlocuteur__isnull=False).exists()


@pytest.mark.exigence("CT-08", "ID-05")
def test_un_doublon_ne_change_pas_le_pseudonyme(banc: Banc) -> None:
    banc.un(message("bonsoir", id="m1"))
    assert banc.un(message("bonsoir", id="m1", auteur={"id": ADA, "pseudonyme": "Usurpe"}))["statut"] == "doublon"
    assert banc.contexte()["interlocuteur"]["pseudonyme"] == "Ada"


@pytest.mark.exigence("DV-07")
def test_un_pseudonyme_lu_en_prive_ne_parait_pas_en_public(banc: Banc) -> None:
    banc.remettre_avis()
    banc.un(message("entre nous", espace=PRIVE))
    assert banc.contexte() == banc.contexte("jamais-vue")


@pytest.mark.exigence("CT-02")
def test_deux_personnes_ouvrent_le_meme_echange_dans_un_lot(banc: Banc) -> None:
    autre = {"id": "dm-ada", "visibilite": "prive", "participants": [BILAL, "poubelle"]}
    banc.remettre_avis()
    banc.remettre_avis(BILAL, autre)
    statuts = banc.envoyer(message("un", espace=PRIVE), message("deux", espace=autre, auteur={"id": BILAL}))
    assert [r["motif"] or r["statut"] for r in statuts] == ["memorise", "groupe_prive"]


@pytest.mark.exigence("CT-11")
def test_les_compteurs_ne_designent_aucun_echange_prive(banc: Banc) -> None:
    from memoire.models import CompteurEntree

    banc.remettre_avis()
    banc.envoyer(message("entre nous", espace=PRIVE), message("en public"))
    espaces = {c.espace.externe_id if c.espace else None for c in CompteurEntree.objects.all()}
    assert espaces == {None, "900100"}


@pytest.mark.exigence("ID-09", "CT-02")
def test_pause_posee_sur_un_prive_encore_inconnu(banc: Banc) -> None:
    qui = {"personne": {"plateforme": "twitch", "id": ADA}, "espace": {"plateforme": "twitch", "id": "dm-ada"}}
    banc.remettre_avis()
    assert banc.poster("pauses/", qui).status_code == 201
    assert Espace.objects.get(externe_id="dm-ada").visibilite == "prive"
    assert banc.un(message("chut", espace=PRIVE))["motif"] == "pause"
    assert banc.poster("pauses/fin/", qui).status_code == 204
    assert banc.un(message("me revoilà", espace=PRIVE))["statut"] == "memorise"
    assert banc.dits(espace=PRIVE) == ["me revoilà"]
    # Un salon public jamais configuré reste dit tel, même si une pause y fut posée.
    ailleurs = {"personne": qui["personne"], "espace": {"plateforme": "twitch", "id": "nouveau"}}
    banc.poster("pauses/", ailleurs)
    assert banc.un(message("ici", espace={"id": "nouveau", "visibilite": "public"}))["motif"] == "espace_non_configure"
