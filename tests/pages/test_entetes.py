"""En-têtes sur 100 % des réponses, erreurs comprises ; erreurs propres, en page ou en JSON."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from horizon.selectors import sante
from tests.pages.adresses import toutes
from tests.pages.conftest import Ouvrir

EXIGES = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
ROLES = ("anonyme", "membre", "capitaine", "sa")


def verifier(reponse: Any) -> None:
    for nom, valeur in EXIGES.items():
        assert reponse.headers[nom] == valeur, (reponse.request["PATH_INFO"], nom)
    csp = reponse.headers["Content-Security-Policy"]
    assert "default-src 'none'" in csp
    assert "unsafe" not in csp
    assert "data:" not in csp
    assert "camera=()" in reponse.headers["Permissions-Policy"]
    if not reponse.request["PATH_INFO"].startswith(settings.STATIC_URL):
        assert reponse.headers["Cache-Control"] == "no-store"
    if reponse.headers.get("Content-Type", "").startswith("text/html"):
        assert "HX-Request" in reponse.headers["Vary"]


@pytest.mark.django_db
@pytest.mark.exigence("SR-06")
@pytest.mark.parametrize("role", ROLES)
def test_toute_reponse_porte_les_en_tetes(role: str, ouvrir: Ouvrir) -> None:
    client = ouvrir(role)
    for adresse in toutes():
        for methode in ("GET", "DELETE"):
            verifier(client.generic(methode, adresse.chemin))


@pytest.mark.django_db
@pytest.mark.exigence("SR-06")
@pytest.mark.parametrize(
    ("chemin", "statut"),
    [("/nulle-part/", 404), ("/api/nulle-part/", 404), ("/static/css/base.css", 200), ("/static/absent.css", 404)],
)
def test_en_tetes_des_erreurs_et_des_statiques(chemin: str, statut: int, client: Client) -> None:
    reponse = client.get(chemin)
    assert reponse.status_code == statut
    verifier(reponse)
    if hasattr(reponse, "close"):
        reponse.close()


@pytest.mark.exigence("SR-06")
def test_hote_inconnu(client: Client) -> None:
    reponse = client.get("/confidentialite/", headers={"Host": "ailleurs.exemple"})
    assert reponse.status_code == 400
    assert "Demande illisible" in reponse.content.decode()
    verifier(reponse)


@pytest.mark.exigence("SR-06")
def test_jeton_csrf_absent() -> None:
    reponse = Client(enforce_csrf_checks=True).post(reverse("account_login"), {})
    assert reponse.status_code == 403
    assert "Page expirée" in reponse.content.decode()
    verifier(reponse)


@pytest.mark.exigence("SR-10", "SR-12")
@pytest.mark.parametrize("chemin", ["/confidentialite/", "/api/v1/sante/"])
def test_panne_inattendue(chemin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def casser(*_: Any, **__: Any) -> None:
        raise RuntimeError("canari d’erreur")

    monkeypatch.setattr("horizon.web.confidentialite.render", casser)
    monkeypatch.setattr(sante, "etat", casser)
    client = Client(raise_request_exception=False)
    reponse = client.get(chemin)
    assert reponse.status_code == 500
    assert "canari" not in reponse.content.decode()
    if chemin.startswith("/api/"):
        assert set(reponse.json()) == {"code", "message", "champs"}
    verifier(reponse)


@pytest.mark.django_db
@pytest.mark.exigence("SR-10")
def test_base_absente(ouvrir: Ouvrir, monkeypatch: pytest.MonkeyPatch) -> None:
    client = ouvrir("capitaine")
    client.raise_request_exception = False

    def muette(*_: Any) -> None:
        raise OperationalError("la base ne répond pas")

    monkeypatch.setattr(SessionStore, "load", muette)
    reponse = client.get("/espaces/")
    assert reponse.status_code == 503
    assert reponse.headers["Retry-After"] == "10"
    verifier(reponse)


@pytest.mark.exigence("SR-10")
def test_confidentialite_sans_base(client: Client) -> None:
    # Sans `django_db`, toute requête SQL de cet essai lève une erreur : la page doit s'en passer.
    def muette(_: Any) -> int:
        raise OperationalError

    with pytest.MonkeyPatch.context() as m:
        m.setattr("horizon.web.confidentialite.valeur", muette)
        reponse = client.get("/confidentialite/")
    assert reponse.status_code == 200
    assert "24 heures" in reponse.content.decode().replace("</strong>", "")


@pytest.mark.parametrize(("chemin", "methode", "statut"), [("/api/nulle-part/", "get", 404), ("/api/v2/", "post", 404)])
def test_erreurs_json_sous_api(chemin: str, methode: str, statut: int, client: Client) -> None:
    reponse = getattr(client, methode)(chemin)
    assert reponse.status_code == statut
    assert json.loads(reponse.content)["champs"] == []


@pytest.mark.exigence("SR-06")
def test_aucun_style_ni_script_en_ligne_dans_les_gabarits() -> None:
    for fichier in Path(settings.BASE_DIR, "templates").rglob("*.html"):
        texte = fichier.read_text()
        assert " style=" not in texte, fichier
        assert "<style" not in texte, fichier
        assert " onclick" not in texte, fichier
        assert "hx-on" not in texte, fichier
        assert all("src=" in m.split(">")[0] for m in texte.split("<script")[1:]), fichier


@pytest.mark.django_db
def test_theme_garde_en_temoin(client: Client) -> None:
    reponse = client.post("/theme/", {"theme": "sombre", "suite": "/confidentialite/"})
    assert reponse.headers["Location"] == "/confidentialite/"
    assert 'data-theme="sombre"' in client.get("/confidentialite/").content.decode()
    for ailleurs in ("//ailleurs.exemple/", "https://ailleurs.exemple/", "javascript:alert(1)"):
        assert client.post("/theme/", {"theme": "<", "suite": ailleurs}).headers["Location"] == "/"
    assert 'data-theme="auto"' in client.get("/confidentialite/").content.decode()
