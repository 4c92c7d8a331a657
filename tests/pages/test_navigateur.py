"""Dans un vrai Chromium : accessibilité, console, CSP, largeur, sans JavaScript, stockage vide."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from django.utils.timezone import now
from playwright.sync_api import Browser, BrowserContext, Page

from horizon.models import Bot, Espace, Parametre
from horizon.noyau.decision import EXPLOITATION
from horizon.services import espaces
from memoire.models import LibelleCategorie, Proposition, Souvenir
from tests.fabriques import Banc, configurer_salon, creer_banc, message
from tests.pages.conftest import creer_compte, prouver
from tests.pages.longue import VIGILANCE, demander, revendiquer

pytestmark = [pytest.mark.navigateur, pytest.mark.django_db(transaction=True)]

PAGES = {
    "capitaine": [
        "/", "/espaces/", "/espaces/configurer/", "/espaces/{espace}/retirer/", "/bots/", "/bots/creer/",
        "/bots/{bot}/revoquer/", "/parametres/", "/parametres/duree_courte/", "/parametres/debit_cle/", "/sante/",
        "/audit/", "/audit/?action=pause", "/confidentialite/", "/comptes/second-facteur/", "/comptes/mot-de-passe/",
        "/comptes/codes-de-secours/", "/comptes/codes-de-secours/renouveler/", "/comptes/second-facteur/desactiver/",
        "/comptes/deconnexion/", "/comptes/confirmation/", "/comptes/confirmation/code/",
    ],
    "membre": ["/", "/comptes/second-facteur/activer/", "/comptes/second-facteur/"],
    "anonyme": [
        "/comptes/connexion/", "/confidentialite/", "/comptes/activation/zz-zz/", "/comptes/activation/faite/",
        "/comptes/inactif/", "/nulle-part/",
    ],
    "sa": [
        "/", "/garde/", "/categories/", "/categories/taniere/", "/noyau/", "/noyau/?periode=7j&categorie=autre",
        "/noyau/?periode=x", "/vigilances/", "/vigilances/{vigilance}/", "/vigilances/999999999/",
    ],
    "administration": ["/admin/", "/admin/horizon/bot/", "/admin/horizon/trace/", "/admin/memoire/interaction/"],
}  # fmt: skip
ATTENDUES = re.compile(r"status of (404|403|409|410|422)")
"""La console dit aussi les statuts d'erreur voulus : ce ne sont pas des fautes de la page."""


@pytest.fixture
def banc(transactional_db: None) -> Banc:
    """Une communauté où chaque tableau a quelque chose à montrer."""
    configurer_salon()
    espaces.configurer(
        plateforme="discord", externe_id="42", nom="#pont", visibilite="public", par=EXPLOITATION, maintenant=now()
    )
    banc = creer_banc("Passerelle <b>")
    banc.envoyer(message("bonsoir"), message("!dé"), message("", id="vide"))
    revendiquer()
    demander(banc, VIGILANCE, "taniere")
    demander(banc, "niveau 12", "reussite")
    return banc


class Visite:
    """Un navigateur connecté, qui note ce que disent la console et la CSP."""

    def __init__(self, contexte: BrowserContext, adresse: str) -> None:
        self.contexte, self.adresse = contexte, adresse
        self.plaintes: list[str] = []
        contexte.add_init_script(
            "document.addEventListener('securitypolicyviolation', e => console.error('CSP ' + e.violatedDirective))"
        )
        self.page: Page = contexte.new_page()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda e: self.plaintes.append(f"{self.page.url} {e}"))

    def _console(self, ligne: Any) -> None:
        if ligne.type in {"error", "warning"} and not ATTENDUES.search(ligne.text):
            self.plaintes.append(f"{self.page.url} {ligne.text}")

    def aller(self, chemin: str) -> Page:
        self.page.goto(self.adresse + chemin)
        self.page.wait_for_load_state("networkidle")
        return self.page


@pytest.fixture
def visiter(browser: Browser, live_server: Any, banc: Banc, client: Any) -> Iterator[Any]:
    """`visiter(role, …)` ouvre un contexte de navigateur connecté ; les options vont à Playwright."""
    contextes = []

    def faire(role: str, **options: Any) -> Visite:
        contexte = browser.new_context(locale="fr-FR", timezone_id="Europe/Paris", **options)
        contextes.append(contexte)
        if role != "anonyme":
            compte = creer_compte(role, second_facteur=role != "membre")
            client.force_login(compte)
            prouver(client, compte)
            temoin = client.cookies["sessionid"].value
            contexte.add_cookies([{"name": "sessionid", "value": temoin, "url": live_server.url}])
        return Visite(contexte, live_server.url)

    yield faire
    for contexte in contextes:
        contexte.close()


def chemins(role: str) -> list[str]:
    objets = {
        "espace": Espace.objects.order_by("pk").values_list("pk", flat=True)[0],
        "bot": Bot.objects.get().pk,
        "vigilance": Proposition.objects.get().pk,
    }
    return [c.format(**objets) for c in PAGES[role]]


@pytest.mark.exigence("UX-01", "SR-06")
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("role", ["capitaine", "membre", "anonyme", "sa"])
def test_axe_console_et_csp(role: str, theme: str, visiter: Any) -> None:
    visite = visiter(role, color_scheme=theme)
    fautes = []
    for chemin in chemins(role):
        page = visite.aller(chemin)
        for faute in Axe().run(page).response["violations"]:
            fautes.append((chemin, faute["id"], [n["html"][:150] for n in faute["nodes"]][:3]))
    assert not fautes
    assert not visite.plaintes


@pytest.mark.exigence("SR-06", "SR-07")
def test_administration_sous_csp_sans_stockage(visiter: Any) -> None:
    visite = visiter("sa")
    for chemin in chemins("administration"):
        assert visite.aller(chemin).evaluate("localStorage.length + sessionStorage.length") == 0
    assert not visite.plaintes


@pytest.mark.exigence("UX-01")
@pytest.mark.parametrize("role", ["capitaine", "membre", "anonyme", "sa"])
def test_320_px_sans_debordement(role: str, visiter: Any) -> None:
    visite = visiter(role, viewport={"width": 320, "height": 640})
    larges = [
        chemin
        for chemin in chemins(role)
        if visite.aller(chemin).evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    ]
    assert not larges


@pytest.mark.exigence("UX-01")
def test_cibles_d_au_moins_24_px(visiter: Any) -> None:
    visite = visiter("capitaine", viewport={"width": 320, "height": 640})
    petites = """() => [...document.querySelectorAll('button, input:not([type=hidden]), select, summary, nav a')]
        .filter(e => e.checkVisibility() && (e.offsetHeight < 24 || e.offsetWidth < 24) && !e.closest('label'))
        .map(e => e.outerHTML.slice(0, 80))"""
    assert not [(c, p) for c in chemins("capitaine") if (p := visite.aller(c).evaluate(petites))]


@pytest.mark.exigence("SR-07")
def test_rien_dans_le_stockage_et_rien_apres_deconnexion(visiter: Any) -> None:
    visite = visiter("capitaine")
    for chemin in chemins("capitaine"):
        assert visite.aller(chemin).evaluate("localStorage.length + sessionStorage.length") == 0, chemin
    page = visite.aller("/audit/")
    page.select_option("#f-action", "bot_cree")
    page.get_by_role("button", name="Filtrer").click()
    page.wait_for_url("**/audit/?*")
    visite.aller("/espaces/")
    page.locator(".bord-large").get_by_role("button", name="Se déconnecter").click()
    page.wait_for_url("**/comptes/connexion/*")
    page.go_back()
    page.wait_for_load_state("networkidle")
    assert page.get_by_role("heading", level=1).inner_text() == "Connexion"
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    assert page.evaluate("indexedDB.databases().then(b => b.length)") == 0
    assert {c["name"] for c in visite.contexte.cookies()} <= {"sessionid", "csrftoken", "messages"}
    assert not visite.plaintes


@pytest.mark.exigence("UX-01")
def test_creer_un_bot_et_changer_un_parametre_sans_javascript(visiter: Any) -> None:
    visite = visiter("capitaine", java_script_enabled=False)
    page = visite.aller("/bots/creer/")
    page.get_by_label("Nom").fill("Relais sans script")
    page.get_by_label("Twitch").check()
    page.get_by_label(re.compile("Envoyer ce qui se dit")).check()
    page.get_by_role("button", name="Créer le bot").click()
    assert page.get_by_label("Clé").input_value().startswith("hz_")
    page = visite.aller("/parametres/duree_courte/")
    page.get_by_label("Nouvelle valeur").fill("12")
    page.get_by_role("button", name="Apercevoir l’effet").click()
    page.get_by_role("button", name="Enregistrer").click()
    assert Parametre.objects.get(cle="duree_courte").valeur == 12
    assert "est enregistré" in page.locator(".messages").inner_text()


@pytest.mark.exigence("UX-01")
def test_fermer_un_espace_au_clavier_sans_perdre_le_focus(visiter: Any) -> None:
    visite = visiter("capitaine")
    page = visite.aller("/espaces/")
    bascule = page.get_by_role("switch", name=re.compile("900100"))
    bascule.focus()
    page.keyboard.press("Enter")
    page.get_by_role("switch", name=re.compile("900100"), checked=False).wait_for()
    assert Espace.objects.get(externe_id="900100").ferme_le
    page.wait_for_function("document.activeElement.getAttribute('role') === 'switch'")
    assert page.locator("#annonces").inner_text() == "Espace fermé."
    assert not visite.plaintes


@pytest.mark.exigence("UX-02")
def test_conflit_de_version_montre_l_etat_frais(visiter: Any) -> None:
    visite = visiter("capitaine")
    page = visite.aller("/parametres/debit_cle/")
    page.get_by_label("Nouvelle valeur").fill("500")
    page.get_by_role("button", name="Apercevoir l’effet").click()
    page.get_by_role("button", name="Enregistrer").wait_for()
    Parametre.objects.create(cle="debit_cle", valeur=700, version=1)
    page.get_by_role("button", name="Enregistrer").click()
    page.get_by_text("Rien n’a été enregistré.").wait_for()
    assert page.locator("[name=version]").input_value() == "1"
    assert Parametre.objects.get(cle="debit_cle").valeur == 700


@pytest.mark.exigence("UX-01")
def test_theme_au_bouton_garde_en_temoin(visiter: Any) -> None:
    visite = visiter("capitaine")
    page = visite.aller("/sante/")
    page.locator(".bord-large").get_by_role("button", name="Sombre").click()
    page.wait_for_selector("html[data-theme=sombre]")
    assert page.url.endswith(reverse("sante"))
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


@pytest.mark.exigence("UX-01")
def test_evitement_et_page_courante(visiter: Any) -> None:
    page = visiter("capitaine").aller("/bots/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Aller au contenu"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "contenu"
    assert page.locator(".bord-large [aria-current=page]").inner_text() == "Bots"


@pytest.mark.exigence("DR-07", "SE-12", "UX-02")
def test_lire_puis_retenir_une_vigilance_au_clavier(visiter: Any) -> None:
    visite = visiter("sa")
    page = visite.aller("/vigilances/")
    assert "alcoolique" not in page.content()
    page.get_by_label("Finalité").select_option("securite")
    page.get_by_role("button", name="Lire le texte").press("Enter")
    page.get_by_text(VIGILANCE).wait_for()
    page.wait_for_function("document.activeElement.classList.contains('revele')")
    assert page.url.endswith("/vigilances/")
    assert not Axe().run(page).response["violations"]
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_text("Plus rien à trancher.").wait_for()
    assert Souvenir.objects.get().contenu == VIGILANCE
    assert "alcoolique" not in page.content()
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    assert not visite.plaintes


@pytest.mark.exigence("DR-07")
def test_le_texte_se_masque_de_lui_meme(visiter: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoire.web.vigilances.REMASQUER", 1)
    visite = visiter("sa")
    page = visite.aller("/vigilances/")
    page.get_by_label("Finalité").select_option("anomalie")
    page.get_by_role("button", name="Lire le texte").click()
    page.get_by_text(VIGILANCE).wait_for()
    page.get_by_text(VIGILANCE).wait_for(state="detached")
    page.get_by_label("Finalité").wait_for()
    assert not visite.plaintes


@pytest.mark.exigence("SR-07", "DR-07")
def test_d18_le_retour_arriere_ne_rend_jamais_un_texte_lu(visiter: Any, client: Any, live_server: Any) -> None:
    """Lu, puis quitté, effacé, déconnecté, et un autre compte dans le même onglet : le texte ne revient jamais."""
    visite = visiter("sa")
    page = visite.aller("/vigilances/")
    page.get_by_label("Finalité").select_option("securite")
    page.get_by_role("button", name="Lire le texte").click()
    page.get_by_text(VIGILANCE).wait_for()

    def revenir() -> str:
        page.go_back()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("localStorage.length + sessionStorage.length") == 0
        return str(page.content())

    visite.aller("/noyau/")
    assert VIGILANCE not in revenir()
    page.get_by_label("Finalité").wait_for()
    Proposition.objects.all().delete()
    visite.aller("/noyau/")
    assert VIGILANCE not in revenir()
    page.locator(".bord-large").get_by_role("button", name="Se déconnecter").click()
    page.wait_for_url("**/comptes/connexion/*")
    assert VIGILANCE not in revenir()
    capitaine = creer_compte("capitaine")
    client.force_login(capitaine)
    prouver(client, capitaine)
    temoin = client.cookies["sessionid"].value
    visite.contexte.add_cookies([{"name": "sessionid", "value": temoin, "url": live_server.url}])
    visite.aller("/")
    assert VIGILANCE not in revenir()
    visite.aller("/bots/creer/")
    page.get_by_label("Nom").fill("Après un autre")
    page.get_by_label("Twitch").check()
    page.get_by_label(re.compile("Envoyer ce qui se dit")).check()
    page.get_by_role("button", name="Créer").click()
    page.get_by_text("Après un autre").first.wait_for()
    assert not visite.plaintes


@pytest.mark.exigence("SE-12", "UX-02")
def test_vigilance_deja_tranchee_se_dit(visiter: Any) -> None:
    visite = visiter("sa")
    page = visite.aller("/vigilances/")
    Proposition.objects.all().delete()
    page.get_by_text("Refuser sans lire").click()
    page.get_by_role("button", name="Refuser").click()
    page.get_by_text("n’est plus à trancher").wait_for()
    assert not visite.plaintes


@pytest.mark.exigence("LT-09", "SE-12", "UX-01")
def test_renommer_et_trancher_sans_javascript(visiter: Any) -> None:
    visite = visiter("sa", java_script_enabled=False)
    page = visite.aller("/categories/taniere/")
    page.get_by_label("Nouveau libellé").fill("Place à bord")
    page.get_by_role("button", name="Enregistrer").click()
    assert LibelleCategorie.objects.get().libelle == "Place à bord"
    page = visite.aller("/vigilances/")
    assert "Place à bord" in page.locator("main").inner_text()
    page.get_by_label("Finalité").select_option("securite")
    page.get_by_role("button", name="Lire le texte").click()
    assert VIGILANCE in page.locator("main").inner_text()
    page.get_by_role("button", name="Retenir").click()
    assert "Retenue" in page.locator(".messages").inner_text()
    assert Souvenir.objects.get().categorie == "taniere"


@pytest.mark.exigence("LT-09", "UX-02")
def test_conflit_de_libelle_montre_l_etat_frais(visiter: Any) -> None:
    visite = visiter("sa")
    page = visite.aller("/categories/reussite/")
    LibelleCategorie.objects.create(code="reussite", libelle="Haut fait", version=1)
    page.get_by_label("Nouveau libellé").fill("Prouesse")
    page.get_by_role("button", name="Enregistrer").click()
    page.get_by_text("Rien n’a été enregistré.").wait_for()
    assert page.locator("[name=version]").input_value() == "1"
    page.get_by_role("button", name="Enregistrer").click()
    page.get_by_text("Le libellé est").wait_for()
    assert LibelleCategorie.objects.get().libelle == "Prouesse"
    assert not visite.plaintes


@pytest.mark.exigence("UX-01")
def test_cibles_du_sa_d_au_moins_24_px(visiter: Any) -> None:
    visite = visiter("sa", viewport={"width": 320, "height": 640})
    petites = """() => [...document.querySelectorAll('button, input:not([type=hidden]), select, summary, nav a')]
        .filter(e => e.checkVisibility() && (e.offsetHeight < 24 || e.offsetWidth < 24)).map(e => e.outerHTML)"""
    assert not [(c, p) for c in chemins("sa") if (p := visite.aller(c).evaluate(petites))]
