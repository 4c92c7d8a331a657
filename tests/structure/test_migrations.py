"""Migrations réversibles, et montée d'une base peuplée (SR-15) ; production sans avertissement (SR-13)."""

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from tests.fabriques import configurer_salon, creer_banc, message

RACINE = Path(__file__).parents[2]
NOTRES = ("horizon", "memoire", "statistiques")


def migrations() -> list[Any]:
    return [m for (app, _), m in MigrationLoader(connection).disk_migrations.items() if app in NOTRES]


@pytest.mark.django_db
@pytest.mark.exigence("SR-15")
def test_chaque_migration_se_defait_et_aucune_ne_manque() -> None:
    assert not [(m.app_label, m.name, o) for m in migrations() for o in m.operations if not o.reversible]
    call_command("makemigrations", "--check", "--dry-run", stdout=StringIO())


def valeurs_retenues() -> str:
    """Ce que les statistiques de planification ont retenu des messages, une fois la table analysée."""
    with connection.cursor() as curseur:
        curseur.execute("ANALYZE memoire_interaction")
        curseur.execute("SELECT string_agg(s::text, '') FROM pg_stats s WHERE tablename = 'memoire_interaction'")
        return str(curseur.fetchone()[0])


@pytest.mark.django_db(transaction=True)
@pytest.mark.exigence("SR-15")
def test_une_base_peuplee_redescend_puis_remonte_sans_rien_perdre() -> None:
    """Retour à la première migration de la mémoire et aux charges natives, puis montée, messages en place."""
    configurer_salon()
    banc = creer_banc()
    banc.envoyer(*[message(f"loutre {n}", contexte={"jeu": "cartes"}, resultat="r") for n in range(30)])
    derniers = MigrationExecutor(connection).loader.graph.leaf_nodes()
    try:
        MigrationExecutor(connection).migrate([("memoire", "0001_initial"), ("horizon", "0002_charges_natives")])
        with connection.cursor() as curseur:
            curseur.execute("SELECT count(*) FROM memoire_interaction WHERE contenu LIKE 'loutre%'")
            assert curseur.fetchone() == (30,)
        assert "loutre" in valeurs_retenues()
    finally:
        MigrationExecutor(connection).migrate(derniers)
    assert len(banc.dits()) == 30
    assert "loutre" not in valeurs_retenues()
    assert banc.un(message("une de plus"))["statut"] == "memorise"


@pytest.mark.exigence("SR-13")
def test_production_sans_avertissement_et_dependances_a_empreinte() -> None:
    env = {nom: valeur for nom, valeur in os.environ.items() if nom != "DJANGO_ALLOW_ASYNC_UNSAFE"}
    env |= {"HORIZON_HOTES": "poste.exemple.fr", "DJANGO_SETTINGS_MODULE": "horizon.settings"}
    commande = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    fini = subprocess.run(commande, env=env, cwd=RACINE, capture_output=True, text=True, check=False)
    assert fini.returncode == 0, fini.stderr
    verrou = (RACINE / ".ci" / "requirements.txt").read_text()
    paquets = re.findall(r"^[A-Za-z0-9][^\n]*?==[^\n]*(?:\n    [^\n]*)*", verrou, re.MULTILINE)
    assert len(paquets) > 30
    assert not [p.splitlines()[0] for p in paquets if "--hash=sha256:" not in p]
