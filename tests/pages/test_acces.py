"""Matrice rôles × URL × méthodes, second facteur, réauthentification."""

from collections.abc import Iterator

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import reverse

from horizon.models import Bot, Utilisateur
from horizon.web.politiques import POLITIQUES
from tests.pages.adresses import Adresse, toutes
from tests.pages.conftest import MOT_DE_PASSE, NOMS, Ouvrir, creer_compte, prouver, sans_second_facteur

ROLES = ("anonyme", "membre", "capitaine", "sa")
METHODES = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
LECTURE = {"GET", "HEAD", "OPTIONS"}
CONDUITE, EQUIPAGE = {"capitaine", "sa"}, {"capitaine", "sa", "membre"}

# Écrite à part de la table du code : une erreur là-bas se voit ici. (lecture, écriture) ; vide : non servie.
ATTENDU: dict[str, tuple[set[str], set[str]]] = {
    **dict.fromkeys(("espaces", "bots", "parametres", "sante", "audit"), (CONDUITE, set())),
    **dict.fromkeys(
        ("espace_configurer", "espace_retirer", "bot_creer", "bot_revoquer", "parametre"), (CONDUITE, CONDUITE)
    ),
    **dict.fromkeys(("garde", "vigilance", "categorie"), ({"sa"}, {"sa"})),
    **dict.fromkeys(("vigilances", "categories", "noyau"), ({"sa"}, set())),
    **dict.fromkeys(("espace_fermer", "espace_rouvrir"), (set(), CONDUITE)),
    **dict.fromkeys(
        ("tableau", "mfa_index", "mfa_view_recovery_codes", "mfa_download_recovery_codes"), (EQUIPAGE, set())
    ),
    **dict.fromkeys(
        (
            "account_reauthenticate", "account_change_password", "account_set_password", "mfa_reauthenticate",
            "mfa_activate_totp", "mfa_deactivate_totp", "mfa_generate_recovery_codes",
        ),
        (EQUIPAGE, EQUIPAGE),
    ),
}  # fmt: skip
PUBLIQUES = {
    "pouls": {"GET"}, "confidentialite": {"GET"}, "theme": {"POST"}, "account_inactive": {"GET"},
    "account_reset_password_from_key_done": {"GET"}, "account_login": {"GET", "POST"},
    "account_logout": {"GET", "POST"}, "account_reset_password_from_key": {"GET", "POST"},
    "mfa_authenticate": {"GET", "POST"},
}  # fmt: skip
ABSENTES = {"account_set_password"}
"""Nommée par allauth, fermée par le Poste : 404 pour qui y aurait droit."""
PERDUES = {"vigilance"}
"""410 et non 404 : jamais née ou déjà tranchée, une vigilance rend la même réponse."""
CONNEXION = reverse("account_login")
API = ("api:", "api_memoire:")


def politique(nom: str) -> tuple[set[str], set[str]]:
    return ({"sa"}, set()) if nom.startswith("admin:") else ATTENDU[nom]


def cases() -> Iterator[Adresse]:
    return (a for a in toutes() if not a.nom.startswith(API) and a.nom not in PUBLIQUES)


@pytest.mark.exigence("SR-03")
def test_toute_url_a_une_politique_et_toute_politique_une_url() -> None:
    noms = {a.nom for a in toutes() if not a.nom.startswith(("admin:", *API))}
    assert noms == set(POLITIQUES) == set(ATTENDU) | set(PUBLIQUES)


@pytest.mark.django_db
@pytest.mark.exigence("SR-03", "ID-06")
@pytest.mark.parametrize("role", ROLES)
def test_matrice(role: str, ouvrir: Ouvrir) -> None:
    client = ouvrir(role)
    ecarts = []
    for adresse in cases():
        for methode in METHODES:
            statut, lieu = demander(client, methode, adresse.chemin)
            if not conforme(role, adresse, methode, statut, lieu):
                ecarts.append((adresse.nom, methode, statut, lieu))
    assert not ecarts


def demander(client: Client, methode: str, chemin: str) -> tuple[int, str]:
    """Statut et destination ; l'effet est défait, chaque case part du même état."""
    point = transaction.savepoint()
    reponse = client.generic(methode, chemin, content_type="application/x-www-form-urlencoded")
    transaction.savepoint_rollback(point)
    return reponse.status_code, reponse.headers.get("Location", "")


def conforme(role: str, adresse: Adresse, methode: str, statut: int, lieu: str) -> bool:
    lecture, ecriture = politique(adresse.nom)
    if role == "anonyme":
        return statut in {302, 303} and lieu.split("?")[0] == CONNEXION
    if role not in lecture | ecriture:
        return statut == 403
    if methode not in (LECTURE if lecture else set()) | ({"POST"} if ecriture else set()):
        return statut == 405
    if role not in (lecture if methode in LECTURE else ecriture):
        return statut == 403
    return permis(adresse, methode, statut, lieu)


def permis(adresse: Adresse, methode: str, statut: int, lieu: str) -> bool:
    """La porte est ouverte : un objet inexistant rend 404, le reste répond ; jamais un refus déguisé."""
    if adresse.nom.startswith("admin:"):
        return statut in {200, 301, 302, 403, 404}
    if methode == "OPTIONS":
        return statut in {200, 302, 404, 405}
    if adresse.nom in PERDUES:
        return statut == 410
    if adresse.nom in ABSENTES or adresse.objet:
        return statut == 404
    return statut in {200, 302, 303, 422} and lieu.split("?")[0] not in {CONNEXION, reverse("account_reauthenticate")}


@pytest.mark.django_db
@pytest.mark.exigence("SR-03")
@pytest.mark.parametrize("role", ROLES)
def test_pages_publiques(role: str, ouvrir: Ouvrir) -> None:
    client = ouvrir(role)
    for adresse in (a for a in toutes() if a.nom in PUBLIQUES):
        for methode in METHODES:
            statut, _ = demander(client, methode, adresse.chemin)
            servies = PUBLIQUES[adresse.nom] | (LECTURE if "GET" in PUBLIQUES[adresse.nom] else set())
            if methode not in servies:
                assert statut == 405, (adresse.nom, methode, statut)
            else:
                assert statut in {200, 204, 286, 302, 303, 405}, (adresse.nom, methode, statut)


@pytest.mark.django_db
@pytest.mark.exigence("SR-03")
@pytest.mark.parametrize("role", ROLES)
def test_l_api_ignore_la_session(role: str, ouvrir: Ouvrir) -> None:
    client = ouvrir(role)
    for adresse in (a for a in toutes() if a.nom.startswith(API)):
        for methode in METHODES:
            statut, _ = demander(client, methode, adresse.chemin)
            assert statut in {401, 405} or (adresse.nom in {"api:sante", "api:schema"} and statut in {200, 503}), (
                adresse.nom,
                methode,
                statut,
            )


@pytest.mark.django_db
@pytest.mark.exigence("SR-03")
def test_une_url_sans_politique_est_refusee_meme_au_sa(ouvrir: Ouvrir, monkeypatch: pytest.MonkeyPatch) -> None:
    client = ouvrir("sa")
    assert client.get(reverse("sante")).status_code == 200
    monkeypatch.delitem(POLITIQUES, "sante")
    assert client.get(reverse("sante")).status_code == 403


@pytest.mark.django_db
@pytest.mark.exigence("ID-06")
def test_un_refus_ne_donne_aucun_detail(ouvrir: Ouvrir) -> None:
    client = ouvrir("membre")
    pages = {
        client.get(reverse(nom)).content for nom in ("bots", "espaces", "audit", "admin:index", "vigilances", "noyau")
    }
    assert len(pages) == 1


@pytest.mark.django_db
@pytest.mark.exigence("SR-03")
def test_echange_sans_session_redirige_le_navigateur(ouvrir: Ouvrir) -> None:
    entetes = {"HX-Request": "true", "HX-Current-URL": "http://testserver/espaces/"}
    reponse = ouvrir("anonyme").post("/espaces/1/fermer/", headers=entetes)
    assert reponse.headers["HX-Redirect"] == f"{CONNEXION}?next=%2Fespaces%2F"


# --- Second facteur


@pytest.mark.django_db
@pytest.mark.exigence("SR-04")
@pytest.mark.parametrize("role", ["capitaine", "sa"])
def test_sans_second_facteur_la_conduite_n_ouvre_rien_d_autre(role: str, ouvrir: Ouvrir) -> None:
    client = ouvrir(role, second_facteur=False)
    for nom in ("tableau", "espaces", "bots", "bot_creer", "parametres", "sante", "audit", "pouls"):
        assert client.get(reverse(nom)).headers["Location"] == reverse("mfa_activate_totp"), nom
    assert client.post(reverse("bot_creer")).headers["Location"] == reverse("mfa_activate_totp")
    for nom in ("mfa_activate_totp", "mfa_index", "account_change_password", "account_logout", "confidentialite"):
        assert client.get(reverse(nom)).status_code == 200, nom


@pytest.mark.django_db
@pytest.mark.exigence("SR-04")
def test_un_membre_n_a_pas_besoin_de_second_facteur(ouvrir: Ouvrir) -> None:
    assert ouvrir("membre", second_facteur=False).get(reverse("tableau")).status_code == 200


@pytest.mark.django_db
@pytest.mark.exigence("SR-04")
def test_la_demonstration_ne_leve_le_second_facteur_que_de_ses_comptes(
    ouvrir: Ouvrir, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = ouvrir("capitaine", second_facteur=False)
    monkeypatch.setattr(settings, "DEMO", True)
    assert client.get(reverse("tableau")).status_code == 302
    Utilisateur.objects.update(demonstration=True)
    assert client.get(reverse("tableau")).status_code == 200
    monkeypatch.setattr(settings, "DEMO", False)
    assert client.get(reverse("tableau")).status_code == 302


@pytest.mark.django_db
@pytest.mark.exigence("SR-04")
def test_connexion_complete_avec_code(client: Client) -> None:
    compte = creer_compte("capitaine")
    reponse = client.post(CONNEXION, {"login": "capitaine", "password": MOT_DE_PASSE})
    assert reponse.headers["Location"] == reverse("mfa_authenticate")
    assert client.get(reverse("tableau")).headers["Location"].startswith(CONNEXION)
    code = Authenticator.objects.get(user=compte, type="recovery_codes").wrap().get_unused_codes()[0]
    assert client.post(reverse("mfa_authenticate"), {"code": "000000"}).status_code == 200
    assert client.post(reverse("mfa_authenticate"), {"code": code}).headers["Location"] == reverse("tableau")
    assert client.get(reverse("tableau")).status_code == 200


# --- Réauthentification

SENSIBLES = [reverse(n) for n in ("bot_creer", "mfa_activate_totp", "mfa_generate_recovery_codes")]
SENSIBLES += ["/parametres/duree_courte/"]
CAS_SENSIBLES = [(m, c) for m in ("get", "post") for c in SENSIBLES] + [("get", reverse("mfa_view_recovery_codes"))]


@pytest.mark.django_db
@pytest.mark.exigence("SR-04")
@pytest.mark.parametrize(("methode", "chemin"), CAS_SENSIBLES)
def test_reauthentification_exigee(methode: str, chemin: str, ouvrir: Ouvrir) -> None:
    client = ouvrir("capitaine", recente=False)
    corps = {"nom": "canari-de-session", "valeur": "3", "version": "0", "code": "123456"}
    reponse = getattr(client, methode)(chemin, corps if methode == "post" else {})
    assert reponse.headers["Location"].startswith(reverse("account_reauthenticate") + "?next=")
    assert "canari-de-session" not in str(dict(client.session))
    assert not Bot.objects.exists()


@pytest.mark.django_db
@pytest.mark.exigence("SR-04")
def test_un_parametre_ordinaire_n_exige_pas_de_reauthentification(ouvrir: Ouvrir) -> None:
    assert ouvrir("capitaine", recente=False).get("/parametres/debit_cle/").status_code == 200


@pytest.mark.django_db
@pytest.mark.exigence("SR-04")
def test_reauthentification_ramene_a_la_page(ouvrir: Ouvrir) -> None:
    client = ouvrir("capitaine", recente=False)
    lieu = client.get(reverse("bot_creer")).headers["Location"]
    assert client.get(lieu).status_code == 200
    manque = client.post(lieu, {"password": "faux", "next": reverse("bot_creer")})
    assert manque.status_code == 200
    reponse = client.post(lieu, {"password": MOT_DE_PASSE, "next": reverse("bot_creer")})
    assert reponse.headers["Location"] == reverse("bot_creer")
    assert client.get(reverse("bot_creer")).status_code == 200


@pytest.mark.django_db
@pytest.mark.exigence("SR-04")
def test_la_preuve_d_un_autre_compte_ne_vaut_rien(ouvrir: Ouvrir) -> None:
    client = ouvrir("capitaine")
    prouver(client, creer_compte("sa"))
    assert client.get(reverse("bot_creer")).status_code == 302


@pytest.mark.django_db
@pytest.mark.exigence("SR-11")
def test_connexion_limitee(client: Client) -> None:
    creer_compte("membre")
    for _ in range(6):
        reponse = client.post(CONNEXION, {"login": NOMS["membre"], "password": "faux"})
    assert "Trop d’essais" in reponse.content.decode()
    assert client.post(CONNEXION, {"login": NOMS["membre"], "password": MOT_DE_PASSE}).status_code == 200


@pytest.mark.django_db
def test_activation_par_lien_a_usage_unique(client: Client) -> None:
    from allauth.account.forms import default_token_generator
    from allauth.account.utils import user_pk_to_url_str

    compte = creer_compte("membre")
    sans_second_facteur(compte)
    lien = reverse(
        "account_reset_password_from_key",
        kwargs={"uidb36": user_pk_to_url_str(compte), "key": default_token_generator.make_token(compte)},
    )
    page = client.get(lien, follow=True)
    assert "Choisir votre mot de passe" in page.content.decode()
    neuf = "cinq-mots-pour-une-porte"
    suite = client.post(page.redirect_chain[-1][0], {"password1": neuf, "password2": neuf})
    assert suite.headers["Location"] == reverse("account_reset_password_from_key_done")
    assert "Lien périmé" in Client().get(lien, follow=True).content.decode()
    assert client.post(CONNEXION, {"login": "ada", "password": neuf}).headers["Location"] == reverse("tableau")
