"""Le filet : la base refuse ce que les services n'écrivent jamais, même à qui les contourne."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils.timezone import now

from horizon.models import Bot, Compte, Espace, Identite, Trace, Utilisateur
from horizon.models.audit import Action
from horizon.noyau.decision import SYSTEME
from horizon.services.audit import tracer
from memoire.models import Interaction


def refuse(modele: Any, **champs: Any) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        modele.objects.create(**champs)


@pytest.mark.exigence("DR-08")
@pytest.mark.parametrize("sql", ["UPDATE horizon_trace SET motif = 'x'", "DELETE FROM horizon_trace"])
def test_une_trace_ne_se_modifie_ni_ne_s_efface(db: None, sql: str) -> None:
    tracer(Action.PAUSE, par=SYSTEME, objet="essai", objet_id="1", maintenant=now())
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as curseur:
        curseur.execute(sql)
    assert Trace.objects.count() == 1


@pytest.mark.exigence("DR-08")
def test_le_journal_d_audit_ne_se_vide_pas(db: None) -> None:
    with connection.cursor() as curseur:
        curseur.execute("ALTER TABLE horizon_trace ENABLE TRIGGER ALL")
        with pytest.raises(DatabaseError), transaction.atomic():
            curseur.execute("TRUNCATE horizon_trace")


@pytest.mark.exigence("DR-08")
def test_vocabulaire_d_audit_ferme(db: None) -> None:
    refuse(Trace, quand=now(), acteur_nature="systeme", action="inventee", objet_nature="x", objet_id="1")


@pytest.mark.exigence("ID-06", "SR-05")
def test_roles_portees_et_plateformes_fermes(db: None) -> None:
    refuse(Utilisateur, nom="x", role="amiral")
    Utilisateur.objects.create(nom="Chloe", role="sa")
    refuse(Utilisateur, nom="chloe", role="sa")
    base = {"nom": "b", "empreinte": "e", "cree_le": now()}
    refuse(Bot, prefixe="1", portees=["tout"], plateformes=["twitch"], **base)
    refuse(Bot, prefixe="2", portees=["droits"], plateformes=["icq"], **base)


@pytest.mark.exigence("ID-01")
def test_comptes_et_espaces(db: None) -> None:
    identite = Identite.objects.create(creee_le=now())
    refuse(Compte, plateforme="icq", externe_id="1", identite=identite)
    refuse(Compte, plateforme="twitch", externe_id="1", identite=identite, nature="chat")
    refuse(Compte, plateforme="twitch", externe_id="1", identite=identite, avis_remis_le=now())
    refuse(Espace, plateforme="icq", externe_id="1", visibilite="public")
    refuse(Espace, plateforme="twitch", externe_id="1", visibilite="secret")
    refuse(Espace, plateforme="twitch", externe_id="1", visibilite="public", configuration="demain")
    Espace.objects.create(plateforme="twitch", externe_id="1", visibilite="public")
    refuse(Espace, plateforme="twitch", externe_id="1", visibilite="prive")


@pytest.mark.exigence("CT-04", "CT-06", "CT-08", "NO-07")
def test_interactions(db: None) -> None:
    instant = now()
    bonne = {
        "plateforme": "twitch", "message_id": "m1", "espace_id": 1, "compte_id": 1, "auteur": "personne",
        "visibilite": "public", "contenu": "x", "emis_le": instant, "recu_le": instant, "finalite": "continuite",
        "expire_a": instant + timedelta(hours=24),
    }  # fmt: skip
    for faute in (
        {"expire_a": instant + timedelta(hours=24, seconds=1)},
        {"finalite": None},
        {"finalite": "curiosite"},
        {"contenu": None},
        {"compte_id": None},
        {"auteur": "bot"},
        {"visibilite": None},
        {"plateforme": "icq"},
        {"etat": "supprimee"},
        {"etat": "perdue"},
    ):
        refuse(Interaction, **(bonne | faute))
    Interaction.objects.create(**bonne)
    refuse(Interaction, **bonne)
