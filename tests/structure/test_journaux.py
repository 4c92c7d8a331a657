"""Journaux : liste blanche de clés, jamais le texte d'une erreur ni d'une bibliothèque (SR-12)."""

import io
import json
import logging
import subprocess
import sys

import pytest
import structlog


@pytest.fixture
def sortie() -> io.StringIO:
    from horizon.journaux import configurer

    configurer({})
    tampon = io.StringIO()
    racine = logging.getLogger()
    manieur = racine.handlers[0]
    assert isinstance(manieur, logging.StreamHandler)
    manieur.setStream(tampon)
    return tampon


@pytest.mark.exigence("SR-12")
def test_cle_inconnue_et_phrase_libre_sont_jetees(sortie: io.StringIO) -> None:
    structlog.get_logger("essai").error("effacement_refuse", interaction=12, contenu="canari")
    logging.getLogger("django.request").error("canari dans une phrase de bibliothèque : %s", "canari")
    lignes = [json.loads(ligne) for ligne in sortie.getvalue().splitlines()]
    assert "canari" not in sortie.getvalue()
    assert (lignes[0]["event"], lignes[0]["interaction"]) == ("effacement_refuse", 12)
    assert lignes[1]["event"] == "message_de_bibliotheque"


@pytest.mark.exigence("SR-12")
def test_django_seul_suffit_a_poser_le_filtre() -> None:
    """Dans un processus neuf, comme sous le serveur : rien d'autre que `django.setup()` ne l'installe."""
    programme = (
        "import django, logging, structlog; django.setup();"
        "structlog.get_logger('essai').info('essai', contenu='canari');"
        "logging.getLogger('django.request').error('canari');"
        "logging.getLogger('django.server').error('canari')"
    )
    fini = subprocess.run([sys.executable, "-c", programme], capture_output=True, text=True, check=True)
    assert "canari" not in fini.stdout + fini.stderr
    assert len(fini.stderr.splitlines()) == 3


@pytest.mark.exigence("SR-12")
def test_une_exception_est_resumee_sans_son_texte(sortie: io.StringIO) -> None:
    try:
        raise ValueError("canari")
    except ValueError:
        logging.getLogger("celery.app.trace").exception("canari %s", "canari")
        structlog.get_logger("essai").exception("erreur_inattendue")
    assert "canari" not in sortie.getvalue()
    for ligne in sortie.getvalue().splitlines():
        lu = json.loads(ligne)
        assert (lu["erreur"], lu["lieu"].split(":")[0]) == ("ValueError", __name__)
