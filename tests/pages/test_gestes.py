"""Ce que l'équipage fait dans les pages : bots, espaces, paramètres, audit, tableau de bord."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from horizon.models import Bot, Espace, Parametre, Trace, Utilisateur
from horizon.noyau.decision import EXPLOITATION
from horizon.parametres import definition
from horizon.services import bots, espaces, parametres
from memoire.models import Interaction
from tests.fabriques import Banc, configurer_salon, creer_banc, message
from tests.pages.conftest import Ouvrir, creer_compte
from tests.pages.longue import demander, revendiquer, vigilance

HTMX = {"HX-Request": "true"}
pytestmark = pytest.mark.django_db


@pytest.fixture
def capitaine(ouvrir: Ouvrir) -> Client:
    return ouvrir("capitaine")


@pytest.fixture
def banc() -> Banc:
    configurer_salon()
    return creer_banc("Passerelle")


def texte(reponse: Any) -> str:
    """Le texte visible d'une page, espaces réduites (les insécables deviennent ordinaires)."""
    corps = re.sub(r"<(script|style|title)\b.*?</\1>", " ", reponse.content.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", corps)))


def champ_cache(reponse: Any, nom: str) -> str:
    trouve = re.search(rf'name="{nom}" value="([^"]*)"', reponse.content.decode())
    assert trouve, nom
    return trouve.group(1)


# --- Bots


def nouveau_bot(client: Client, **champs: Any) -> dict[str, Any]:
    envoi = champ_cache(client.get(reverse("bot_creer")), "envoi")
    return {"nom": "Relais", "plateformes": ["twitch"], "portees": ["evenements"], "envoi": envoi} | champs


@pytest.mark.exigence("SR-05")
def test_cle_montree_une_seule_fois(capitaine: Client) -> None:
    corps = nouveau_bot(capitaine)
    reponse = capitaine.post(reverse("bot_creer"), corps)
    assert reponse.status_code == 201
    assert reponse.headers["Cache-Control"] == "no-store"
    cle = re.search(r"hz_[0-9a-f]{8}_[\w-]{43}", reponse.content.decode())
    assert cle
    assert bots.reconnaitre(cle.group(), maintenant=now()) == Bot.objects.get()
    assert cle.group() not in str(dict(capitaine.session)) + str(reponse.headers) + str(reponse.cookies)
    for nom in ("bots", "audit", "tableau", "bot_creer"):
        assert cle.group() not in capitaine.get(reverse(nom)).content.decode()


@pytest.mark.exigence("SR-05")
def test_double_envoi_un_seul_bot(capitaine: Client) -> None:
    corps = nouveau_bot(capitaine)
    assert capitaine.post(reverse("bot_creer"), corps).status_code == 201
    suite = capitaine.post(reverse("bot_creer"), corps)
    assert suite.status_code == 409
    assert "aucun autre n’a été créé" in texte(suite)
    assert Bot.objects.count() == 1


@pytest.mark.parametrize(
    "champs",
    [
        {"nom": ""},
        {"nom": "x" * 61},
        {"plateformes": ["irc"]},
        {"portees": []},
        {"expire_le": "2001-01-01"},
        {"nom": "\u202e"},
    ],
)
def test_bot_mal_saisi(champs: dict[str, Any], capitaine: Client) -> None:
    reponse = capitaine.post(reverse("bot_creer"), nouveau_bot(capitaine, **champs))
    assert reponse.status_code in {400, 422}
    assert "À corriger" in texte(reponse)
    assert not Bot.objects.exists()


def test_revoquer_demande_confirmation(capitaine: Client, banc: Banc) -> None:
    adresse = reverse("bot_revoquer", args=[banc.bot.pk])
    page = capitaine.get(adresse)
    assert "Irréversible" in texte(page)
    assert Bot.objects.get().revoque_le is None
    assert capitaine.post(adresse).status_code == 303
    assert Bot.objects.get().revoque_le
    assert banc.poster("evenements/", {"evenements": [message()]}).status_code == 401
    assert "Révoquée" in texte(capitaine.get(reverse("bots")))


def test_texte_d_utilisateur_inerte(capitaine: Client) -> None:
    hostile = '<img src=x onerror=alert(1)><a hx-get="/">'
    capitaine.post(reverse("bot_creer"), nouveau_bot(capitaine, nom=hostile))
    corps = capitaine.get(reverse("bots")).content.decode()
    assert "<img" not in corps
    assert "<bdi hx-disable>&lt;img src=x onerror=alert(1)&gt;" in corps


# --- Espaces


def test_sans_javascript_fermer_et_rouvrir_se_disent(capitaine: Client, banc: Banc) -> None:
    pk = Espace.objects.get().pk
    for acte, dit in (
        ("espace_fermer", "L’espace est fermé."),
        ("espace_rouvrir", "L’espace est de nouveau mémorisé."),
    ):
        assert dit in capitaine.post(reverse(acte, args=[pk]), follow=True).content.decode()
    capitaine.post(reverse("espace_fermer", args=[pk]), headers=HTMX)
    assert "est fermé" not in capitaine.get(reverse("espaces")).content.decode()


@pytest.mark.exigence("CT-02", "ID-09")
def test_configurer_fermer_rouvrir_retirer(capitaine: Client) -> None:
    corps = {"plateforme": "twitch", "externe_id": "900100", "nom": "Pont", "visibilite": "public"}
    assert capitaine.post(reverse("espace_configurer"), corps).status_code == 303
    banc = creer_banc()
    assert banc.un(message())["statut"] == "memorise"
    pk = Espace.objects.get().pk
    capitaine.post(reverse("espace_fermer", args=[pk]))
    assert banc.un(message())["motif"] == "espace_ferme"
    capitaine.post(reverse("espace_rouvrir", args=[pk]))
    assert banc.un(message())["statut"] == "memorise"
    assert "2 interactions déjà gardées y expireront à leur heure" in texte(
        capitaine.get(reverse("espace_retirer", args=[pk]))
    )
    capitaine.post(reverse("espace_retirer", args=[pk]))
    assert banc.un(message())["motif"] == "espace_non_configure"
    assert Trace.objects.filter(acteur_nature="utilisateur").count() == 4


@pytest.mark.exigence("CT-03")
def test_exclusions_du_jour_par_motif(capitaine: Client, banc: Banc) -> None:
    banc.un(message("!dé"))
    page = texte(capitaine.get(reverse("espaces")))
    assert "Commande adressée à un bot 1" in page
    assert "!dé" not in page


def test_espace_mal_saisi(capitaine: Client) -> None:
    corps = {"plateforme": "twitch", "externe_id": "deux mots", "nom": "", "visibilite": "public"}
    reponse = capitaine.post(reverse("espace_configurer"), corps)
    assert reponse.status_code == 400
    assert "sans espace" in texte(reponse)


def test_echange_prive_jamais_liste(capitaine: Client, banc: Banc) -> None:
    Espace.objects.create(plateforme="discord", externe_id="dm-canari", visibilite="prive")
    page = texte(capitaine.get(reverse("espaces")))
    assert "dm-canari" not in page
    assert "1 échange privé avec P.O.U.B.E.L.L.E." in page


def test_bascule_htmx_egale_page_fraiche(capitaine: Client, banc: Banc) -> None:
    pk = Espace.objects.get().pk
    fragment = capitaine.post(reverse("espace_fermer", args=[pk]), headers=HTMX)
    assert fragment.status_code == 200
    assert sans_jeton(fragment) in sans_jeton(capitaine.get(reverse("espaces")))


def sans_jeton(reponse: Any) -> str:
    corps = re.sub(r'(csrfmiddlewaretoken" value=")[^"]*', r"\1", reponse.content.decode())
    return re.sub(r"\s+", " ", re.sub(r"<time.*?</time>", "", corps, flags=re.DOTALL)).strip()


# --- Paramètres

DUREE = "/parametres/duree_courte/"


@pytest.mark.exigence("CT-04", "CT-05", "UX-04")
def test_changer_une_duree_montre_l_effet_d_abord(capitaine: Client, banc: Banc) -> None:
    banc.un(message())
    corps = {"valeur": "1", "version": "0", "action": "enregistrer"}
    apercu = capitaine.post(DUREE, corps)
    assert "Effet de ce changement" in texte(apercu)
    assert not Parametre.objects.exists()
    suite = capitaine.post(DUREE, corps | {"apercue": champ_cache(apercu, "apercue")})
    assert suite.status_code == 303
    assert Parametre.objects.get().valeur == 1
    page = texte(capitaine.get(DUREE))
    assert "De 24 à 1 heures" in page
    assert "Capitaine, il y a" in page or "Capitaine , " in page


@pytest.mark.exigence("UX-02")
@pytest.mark.parametrize("entetes", [{}, HTMX])
def test_version_perimee_expliquee(entetes: dict[str, str], capitaine: Client) -> None:
    chloe = creer_compte("sa")
    parametres.changer(definition("duree_courte"), 12, version=0, par=chloe, maintenant=now())
    corps = {"valeur": "6", "version": "0", "apercue": "6", "action": "enregistrer"}
    reponse = capitaine.post(DUREE, corps, headers=entetes)
    assert reponse.status_code == 409
    page = texte(reponse)
    assert "Chloé a changé ce paramètre" in page
    assert "de 24 à 12 heures" in page
    assert champ_cache(reponse, "version") == "1"
    assert Parametre.objects.get().valeur == 12


@pytest.mark.parametrize("valeur", ["0", "25", "", "trois", "1.5", "9" * 40])
def test_valeur_hors_bornes(valeur: str, capitaine: Client) -> None:
    reponse = capitaine.post(DUREE, {"valeur": valeur, "version": "0", "apercue": valeur, "action": "enregistrer"})
    assert reponse.status_code == 422
    assert 'aria-invalid="true"' in reponse.content.decode()
    assert not Parametre.objects.exists()


def test_apercu_htmx_egale_page_fraiche(capitaine: Client) -> None:
    corps = {"valeur": "3", "version": "0", "action": "apercevoir"}
    fragment = capitaine.post(DUREE, corps, headers=HTMX)
    assert sans_jeton(fragment) in sans_jeton(capitaine.post(DUREE, corps))


# --- Audit


def test_audit_filtre_et_curseur(capitaine: Client, banc: Banc) -> None:
    for _ in range(51):
        espaces.configurer(plateforme="twitch", externe_id="1", visibilite="public", par=EXPLOITATION, maintenant=now())
    premiere = capitaine.get(reverse("audit"), {"action": "espace_configure"})
    suite = re.search(r'rel="next" href="([^"]+)"', premiere.content.decode())
    assert suite
    seconde = capitaine.get(unescape(suite.group(1)))
    assert premiere.content.decode().count("<strong>Espace configuré") == 50
    assert seconde.content.decode().count("<strong>Espace configuré") == 2
    assert "Fin du journal" in texte(seconde)
    assert "Aucune trace ne répond" in texte(capitaine.get(reverse("audit"), {"action": "pause"}))


@pytest.mark.parametrize("criteres", [{"du": "hier"}, {"avant": "x"}, {"action": "inconnue"}, {"avant": "9" * 30}])
def test_audit_criteres_illisibles(criteres: dict[str, str], capitaine: Client) -> None:
    reponse = capitaine.get(reverse("audit"), criteres)
    assert reponse.status_code == 200
    assert "Ces critères ne se lisent pas" in texte(reponse)


# --- Tableau de bord


@pytest.mark.exigence("CT-03", "CT-04", "ST-03")
def test_tableau_dit_ce_qui_entre_sans_aucun_contenu(capitaine: Client, banc: Banc) -> None:
    configurer_salon("1", "discord")
    banc.envoyer(
        message("CANARI-UN"),
        message("CANARI-DEUX"),
        message("!CANARI"),
        message("CANARI-TROIS", plateforme="discord", espace={"id": "1", "visibilite": "public"}),
    )
    reponse = capitaine.get(reverse("tableau"))
    page = texte(reponse)
    assert "Twitch 2 2 en 24 h" in page
    assert "Discord 1 1 en 24 h" in page
    assert "Commande adressée à un bot 1" in page
    assert "CANARI" not in reponse.content.decode()
    assert "Ada" not in page


@pytest.mark.exigence("CT-04")
def test_tableau_ne_compte_que_le_vivant(capitaine: Client, banc: Banc) -> None:
    banc.envoyer(message(), message())
    Interaction.objects.filter(pk=Interaction.objects.first().pk).update(expire_a=now())  # type: ignore[union-attr]
    assert re.search(r"prochaine expiration Twitch 1 à", texte(capitaine.get(reverse("tableau"))))


@pytest.mark.exigence("UX-06")
def test_mise_en_route_se_coche_d_elle_meme(capitaine: Client) -> None:
    assert texte(capitaine.get(reverse("tableau"))).count(" fait ") == 1
    configurer_salon()
    creer_banc()
    corps = capitaine.get(reverse("tableau")).content.decode()
    assert re.search(r'id="mise-en-route"[^>]* hidden', corps)


def test_pouls(capitaine: Client, banc: Banc, ouvrir: Ouvrir) -> None:
    vu = re.search(r"pouls/\?vu=(\w+)", capitaine.get(reverse("tableau")).content.decode())
    assert vu
    adresse = f"{reverse('pouls')}?vu={vu.group(1)}"
    assert capitaine.get(adresse, headers=HTMX).status_code == 204
    banc.un(message())
    suite = capitaine.get(adresse, headers=HTMX)
    assert suite.status_code == 200
    fraiche = sans_jeton(capitaine.get(reverse("tableau")))
    for bloc in ("tuiles", "entrees", "exclusions", "actions"):
        corps = sans_jeton(suite).replace(' hx-swap-oob="true"', "")
        assert re.search(rf'<section id="{bloc}".*?</section>', corps).group() in fraiche  # type: ignore[union-attr]
    assert ouvrir("anonyme").get(reverse("pouls")).status_code == 286
    assert ouvrir("membre").get(reverse("pouls")).status_code == 204


def test_accueil_du_membre(ouvrir: Ouvrir) -> None:
    page = texte(ouvrir("membre").get(reverse("tableau")))
    assert "Bienvenue à bord" in page
    assert "Espaces" not in page


def test_confidentialite_vient_du_code(client: Client) -> None:
    from horizon.noyau.motifs import EXCLUSIONS, FINALITES

    page = texte(client.get(reverse("confidentialite")))
    assert "24 heures après l’envoi" in page
    for phrase in (*EXCLUSIONS.values(), *FINALITES.values()):
        assert phrase in page


@pytest.mark.parametrize("role", ["capitaine", "membre", "sa"])
def test_typographie(role: str, ouvrir: Ouvrir, banc: Banc) -> None:
    """Jamais d'espace ordinaire devant un signe double, ni à l'intérieur des guillemets."""
    client = ouvrir(role)
    banc.un(message())
    revendiquer()
    vigilance(banc)
    demander(banc, "est diabétique", "reussite")
    for nom in (
        "tableau",
        "espaces",
        "bots",
        "bot_creer",
        "parametres",
        "sante",
        "audit",
        "confidentialite",
        "mfa_index",
        "vigilances",
        "categories",
        "noyau",
    ):
        reponse = client.get(reverse(nom))
        if reponse.status_code == 200:
            visible = unescape(re.sub(r"<[^>]+>", "", reponse.content.decode()))
            assert not re.search(r"\w [;:!?»]|« ", visible), (nom, re.findall(r".{20} [;:!?»]|« .{9}", visible))


def test_compte_supprime_dans_l_historique(capitaine: Client) -> None:
    chloe = creer_compte("sa")
    parametres.changer(definition("debit_cle"), 100, version=0, par=chloe, maintenant=now())
    Utilisateur.objects.filter(pk=chloe.pk).delete()
    assert "Compte supprimé" in texte(capitaine.get("/parametres/debit_cle/"))
