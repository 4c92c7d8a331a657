"""Les charges natives de bout en bout : chacune son issue, rien hors du contrat n'est gardé, l'ordre n'y fait rien."""

import random
from typing import Any

import pytest
import time_machine
from django.utils.timezone import now

from horizon.models import Compte, Espace, Identite
from horizon.noyau.decision import EXPLOITATION
from horizon.services.identites import configurer_compte
from memoire.models import CompteurEntree, Interaction
from tests.api.natives import ATTENDUS, CHAINE, POUBELLES, SALON, SOIR, charge, envois, relayer, resultats
from tests.fabriques import Banc, configurer_salon, creer_banc
from tests.fouille import tout_le_texte

SALON_PUBLIC = {"id": SALON, "visibilite": "public"}


@pytest.fixture
def banc(db: None) -> Any:
    with time_machine.travel(SOIR, tick=False):
        configurer_salon(CHAINE)
        configurer_salon(SALON, "discord")
        for plateforme, ident in POUBELLES:
            configurer_compte(
                plateforme=plateforme, externe_id=ident, nature="poubelle", par=EXPLOITATION, maintenant=now()
            )
        yield creer_banc()


def issues(recus: list[dict[str, Any]]) -> list[tuple[str, str | None]]:
    return [(r["statut"], r["motif"]) for r in recus]


def etat_final() -> list[tuple[Any, ...]]:
    """Ce qui vit, tel qu'un lecteur le verrait."""
    vivantes = Interaction.objects.filter(etat="vivante").order_by("plateforme", "message_id")
    return list(
        vivantes.values_list(
            "plateforme", "message_id", "espace__externe_id", "compte__externe_id", "auteur", "contenu", "expire_a"
        )
    )


@pytest.mark.exigence("CT-03", "CT-06", "CT-12", "CT-15", "CT-19", "ID-10")
def test_chaque_charge_a_son_issue(banc: Banc) -> None:
    obtenus = {nom: issues(relayer(banc, nom)) for nom in ATTENDUS}
    assert obtenus == ATTENDUS


@pytest.mark.exigence("CT-15")
def test_une_ligne_irc_n_est_pas_une_charge(banc: Banc) -> None:
    assert banc.poster("evenements/twitch/", charge("t21_ligne_irc")).status_code == 400


@pytest.mark.exigence("CT-17", "CT-12", "SR-12")
def test_rien_hors_du_contrat_n_est_garde_ni_journalise(banc: Banc, caplog: Any, capfd: Any) -> None:
    for nom in ATTENDUS:
        relayer(banc, nom)
    # Textes d'autrui, noms de fichiers, adresses, raison d'un bannissement, jeton, humeur : tous marqués.
    traces = tout_le_texte() + caplog.text + "".join(capfd.readouterr())
    assert "canari" not in traces.lower()
    for personne in ("82000001", "81000050", "2200000000000000013", "456226577798135808", "274598607"):
        assert not Compte.objects.filter(externe_id=personne).exists()


@pytest.mark.exigence("CT-03")
@pytest.mark.parametrize(
    "nom", [n for n, attendu in ATTENDUS.items() if {s for s, _ in attendu} <= {"exclu", "ignore"}]
)
def test_exclue_ou_ignoree_ne_laisse_personne(banc: Banc, nom: str) -> None:
    relayer(banc, nom)
    assert not Identite.objects.exists()
    assert not Interaction.objects.filter(etat="vivante").exists()


@pytest.mark.exigence("CT-03")
def test_les_exclusions_natives_se_comptent_sans_auteur(banc: Banc) -> None:
    for nom in ("d05_webhook", "d17_transfert", "t05_autre_chaine", "t13_cadeau_anonyme"):
        relayer(banc, nom)
    comptees = CompteurEntree.objects.values_list("motif", "espace__externe_id")
    assert sorted(comptees) == [
        ("anonyme", CHAINE), ("autre_chaine", CHAINE), ("citation", SALON), ("webhook", SALON),
    ]  # fmt: skip


@pytest.mark.exigence("CT-06", "CT-07", "CT-08")
def test_dans_l_ordre_puis_melangees_et_repetees_meme_etat_final(banc: Banc) -> None:
    suite = [envoi for nom in ATTENDUS for envoi in envois(nom)]
    for chemin, corps in suite:
        resultats(banc, chemin, corps)
    attendu = etat_final()
    textes = [ligne[5] for ligne in attendu]
    assert "secoue son tapis" in textes
    assert "La soute sent la lavande, qui a rangé ?" not in textes
    for _ in range(3):
        Interaction.objects.all().delete()
        Espace.objects.filter(configuration="inconnu").delete()
        # Deux tirages bout à bout : chaque charge arrive une fois en connaissant toutes les autres.
        melange = [*random.sample(suite, len(suite)), *random.sample(suite, len(suite))]
        for chemin, corps in melange:
            resultats(banc, chemin, corps)
        assert etat_final() == attendu


@pytest.mark.exigence("CT-15")
def test_textes_gardes_et_reponses(banc: Banc) -> None:
    for nom in ("t02_fragments", "t04_action", "d01_message", "d03_reponse", "d10_modification", "d11_apercu"):
        relayer(banc, nom)
    lignes = {i.message_id: i for i in Interaction.objects.all()}
    reponse = lignes[charge("d03_reponse")["d"]["id"]]
    assert (reponse.contenu, reponse.reponse_a) == ("il reste du vert", charge("d01_message")["d"]["id"])
    assert lignes[charge("t04_action")["payload"]["event"]["message_id"]].contenu == "secoue son tapis"
    modifie = lignes[charge("d01_message")["d"]["id"]]
    assert modifie.contenu == "Le pot de mauve est plein"
    assert modifie.emis_le is not None
    assert (modifie.expire_a - modifie.emis_le).days == 1


@pytest.mark.exigence("CT-07")
def test_apercu_de_lien_puis_vraies_modifications(banc: Banc) -> None:
    relayer(banc, "d03_reponse")
    avant = etat_final()
    relayer(banc, "d11_apercu")
    assert etat_final() == avant
    for texte, quand in (("furet corrigé", "20:25"), ("furet final", "20:26")):
        corps = charge("d11_apercu")[1]
        corps["d"] |= {"content": texte, "edited_timestamp": f"2026-05-02T{quand}:00+00:00"}
        assert issues(resultats(banc, "evenements/discord/", corps)) == [("modifie", None)]
    assert "corrigé" not in tout_le_texte()
    assert etat_final()[0][5:] == ("furet final", avant[0][6])


@pytest.mark.exigence("CT-14", "CT-19")
def test_etiquette_de_poubelle(banc: Banc) -> None:
    for nom, interlocuteur in (("t07_poubelle", "81000001"), ("d22_poubelle", "2200000000000000012")):
        ((chemin, corps),) = envois(nom)
        nu = chemin.partition("?")[0]
        assert issues(resultats(banc, nu, corps)) == [("exclu", "non_etiquete")]
        assert issues(resultats(banc, f"{nu}?interlocuteur={interlocuteur}", corps)) == [("exclu", "non_etiquete")]
        assert issues(resultats(banc, f"{nu}?nature=commande", corps)) == [("exclu", "commande")]
        assert issues(resultats(banc, chemin, corps)) == [("memorise", None)]
    garde = Interaction.objects.get(plateforme="discord")
    assert (garde.auteur, garde.reponse_a) == ("poubelle", charge("d03_reponse")["d"]["id"])
    # La question disparaît, sa réponse aussi ; Twitch ne dit pas à quoi P.O.U.B.E.L.L.E. répond, le bot le peut.
    assert relayer(banc, "d03_reponse")[0]["statut"] == "memorise"
    supprime = {"t": "MESSAGE_DELETE", "d": {"id": garde.reponse_a, "channel_id": SALON, "guild_id": "1"}}
    assert resultats(banc, "evenements/discord/", supprime)[0]["a_supprimer"] == [garde.message_id]


@pytest.mark.exigence("CT-14")
def test_la_reponse_de_poubelle_sur_twitch_peut_dire_sa_question(banc: Banc) -> None:
    question = charge("t01_message")["payload"]["event"]["message_id"]
    ((chemin, corps),) = envois("t07_poubelle")
    relayer(banc, "t01_message")
    resultats(banc, f"{chemin}&reponse_a={question}", corps)
    assert relayer(banc, "t08_suppression")[0]["a_supprimer"] == [corps["payload"]["event"]["message_id"]]


@pytest.mark.exigence("CT-19")
def test_une_etiquette_ne_fait_pas_d_un_humain_poubelle(banc: Banc) -> None:
    ((chemin, corps),) = envois("d01_message")
    assert issues(resultats(banc, f"{chemin}?nature=conversation&interlocuteur=9", corps)) == [("memorise", None)]
    assert Interaction.objects.get().auteur == "personne"
    assert not Compte.objects.filter(externe_id="9").exists()
    relayer(banc, "t02_fragments")
    ((chemin, corps),) = envois("t02_fragments")
    corps["payload"]["event"]["message_id"] = "autre"
    assert issues(resultats(banc, f"{chemin}?nature=conversation&interlocuteur=9", corps)) == [
        ("exclu", "non_etiquete")
    ]


@pytest.mark.exigence("CT-03")
def test_un_encart_de_poubelle_est_une_diffusion(banc: Banc) -> None:
    ((chemin, corps),) = envois("d22_poubelle")
    corps["d"]["embeds"] = [{"type": "rich", "title": "Classement"}]
    assert issues(resultats(banc, chemin, corps)) == [("exclu", "annonce")]


@pytest.mark.exigence("CT-02", "CT-09")
def test_message_prive_apres_avis_et_reponse(banc: Banc) -> None:
    prive = {"id": "1300000000000000601", "visibilite": "prive", "participants": ["2200000000000000011", "poubelle"]}
    avis = relayer(banc, "d15_prive")[0]["avis"]
    assert banc.poster("avis/remise/", {"jeton": avis["jeton"]}).status_code == 200
    assert issues(relayer(banc, "d15_prive")) == [("memorise", None)]
    corps = charge("d22_poubelle")
    corps["d"] |= {"channel_id": prive["id"], "channel_type": 1, "type": 0, "content": "Motus."}
    del corps["d"]["guild_id"], corps["d"]["message_reference"]
    chemin = "evenements/discord/?nature=conversation&interlocuteur=2200000000000000011"
    assert issues(resultats(banc, chemin, corps)) == [("memorise", None)]
    assert banc.dits("2200000000000000011", prive, plateforme="discord") == ["entre nous, je repeins tout", "Motus."]
    assert banc.dits("2200000000000000011", SALON_PUBLIC, plateforme="discord") == []


@pytest.mark.exigence("CT-02")
def test_sans_guilde_ni_type_de_salon_n_est_pas_un_message_prive(banc: Banc) -> None:
    corps = charge("d15_prive")
    del corps["d"]["channel_type"]
    assert issues(resultats(banc, "evenements/discord/", corps)) == [("exclu", "espace_non_configure")]


@pytest.mark.exigence("CT-12")
def test_un_bannissement_discord_efface_dans_tous_les_espaces_publics(banc: Banc) -> None:
    configurer_salon("1200000000000000102", "discord")
    relayer(banc, "d01_message")
    ailleurs = charge("d01_message")
    ailleurs["d"] |= {"id": "14998999", "channel_id": "1200000000000000102"}
    resultats(banc, "evenements/discord/", ailleurs)
    relayer(banc, "d03_reponse")
    banni = relayer(banc, "x03_banni")
    assert (issues(banni), banni[0]["nombre"]) == ([("supprime", None)], 2)
    assert [ligne[5] for ligne in etat_final()] == ["il reste du vert"]


@pytest.mark.exigence("ID-06")
@pytest.mark.parametrize(("chemin", "autre"), [("twitch", "discord"), ("discord", "twitch")])
def test_plateforme_et_portee_exigees(banc: Banc, chemin: str, autre: str) -> None:
    nom = "t01_message" if chemin == "twitch" else "d01_message"
    assert creer_banc("a", (autre,)).poster(f"evenements/{chemin}/", charge(nom)).status_code == 403
    assert creer_banc("b", portees=["contexte"]).poster(f"evenements/{chemin}/", charge(nom)).status_code == 403
    assert banc.client.post(f"/api/v1/evenements/{chemin}/", b"{}", content_type="application/json").status_code == 401
    assert not Interaction.objects.exists()
