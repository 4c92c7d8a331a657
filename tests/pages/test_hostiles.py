"""Entrées hostiles dans chaque champ des pages : jamais de 5xx, jamais de balise rendue vivante."""

from urllib.parse import urlencode

import pytest
from django.test import Client

from tests.hostiles import HOSTILES
from tests.pages.conftest import Ouvrir

BOT = {"nom": "Relais", "plateformes": "twitch", "portees": "evenements", "expire_le": "", "envoi": "x"}
ESPACE = {"plateforme": "twitch", "externe_id": "1", "nom": "", "visibilite": "public"}
CHAMPS = [
    *[("/bots/creer/", BOT, champ) for champ in BOT],
    *[("/espaces/configurer/", ESPACE, champ) for champ in ESPACE],
    *[
        ("/parametres/debit_cle/", {"valeur": "100", "version": "0", "apercue": "100"}, c)
        for c in ("valeur", "version")
    ],
    ("/comptes/connexion/", {"login": "", "password": "x"}, "login"),
    ("/garde/", {"texte": ""}, "texte"),
    ("/categories/reussite/", {"libelle": "", "version": "0"}, "libelle"),
    ("/categories/reussite/", {"libelle": "Exploit", "version": "0"}, "version"),
    ("/vigilances/1/", {"acte": "reveler", "finalite": ""}, "finalite"),
    ("/vigilances/1/", {"acte": "retenir", "lecture": ""}, "lecture"),
    ("/theme/", {"theme": "", "suite": ""}, "suite"),
]
LECTURES = [("/audit/", c) for c in ("action", "acteur", "du", "au", "avant")]
LECTURES += [("/noyau/", c) for c in ("periode", "origine", "categorie")]
LECTURES += [("/espaces/configurer/", "espace"), ("/pouls/", "vu"), ("/comptes/connexion/", "next")]


def sure(statut: int, corps: str) -> bool:
    """Ni panne du serveur, ni balise hostile rendue telle quelle."""
    vivantes = ("<script>alert", "<img src=x", "<div hx-get", "<svg/onload")
    return statut < 500 and not any(v in corps for v in vivantes)


def envoyer(client: Client, chemin: str, donnees: dict[str, str]) -> tuple[int, str]:
    """POST comme un navigateur, demi-codets compris : le corps est fait d'octets."""
    corps = urlencode({champ: valeur.encode("utf-8", "surrogatepass") for champ, valeur in donnees.items()})
    reponse = client.post(chemin, corps, content_type="application/x-www-form-urlencoded")
    return reponse.status_code, reponse.content.decode()


def role_pour(chemin: str) -> str:
    """Qui peut ouvrir cette page."""
    if "connexion" in chemin:
        return "anonyme"
    return "sa" if chemin.startswith(("/garde/", "/categories/", "/noyau/", "/vigilances/")) else "capitaine"


def test_il_y_en_a_au_moins_cinq_cents() -> None:
    assert len(set(HOSTILES)) >= 500


@pytest.mark.lent
@pytest.mark.django_db
@pytest.mark.exigence("SR-08")
@pytest.mark.parametrize(("chemin", "corps", "champ"), CHAMPS)
def test_ecritures_hostiles(chemin: str, corps: dict[str, str], champ: str, ouvrir: Ouvrir) -> None:
    client = ouvrir(role_pour(chemin))
    client.raise_request_exception = False
    for rang, hostile in enumerate(HOSTILES):
        statut, page = envoyer(client, chemin, corps | {"envoi": str(rang)} | {champ: hostile})
        assert sure(statut, page), (champ, hostile, statut)
    if "connexion" not in chemin:
        reservees = ("/categories/", "/noyau/", "/vigilances/") if role_pour(chemin) == "sa" else ()
        for adresse in (*reservees, "/bots/", "/espaces/", "/audit/", "/"):
            reponse = client.get(adresse)
            assert sure(reponse.status_code, reponse.content.decode()), adresse


@pytest.mark.lent
@pytest.mark.django_db
@pytest.mark.exigence("SR-08")
@pytest.mark.parametrize(("chemin", "champ"), LECTURES)
def test_lectures_hostiles(chemin: str, champ: str, ouvrir: Ouvrir) -> None:
    client = ouvrir(role_pour(chemin))
    client.raise_request_exception = False
    for hostile in HOSTILES:
        reponse = client.get(chemin, {champ: hostile.encode("utf-8", "surrogatepass")})
        assert sure(reponse.status_code, reponse.content.decode()), (champ, hostile, reponse.status_code)
