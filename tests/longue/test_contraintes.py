"""Le filet de la mémoire longue et des oublis : la base refuse à qui contourne les services."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from horizon.models import Compte, Espace, Identite, JetonServi, Oubli
from memoire.models import (
    DecisionNoyau,
    Hypothese,
    LibelleCategorie,
    Proposition,
    Source,
    Souvenir,
    Temoin,
    VerrouOubli,
)
from tests.services.test_contraintes import refuse

JOUR = timedelta(hours=24)


@pytest.fixture
def identite(db: None) -> Identite:
    return Identite.objects.create(creee_le=now(), revendiquee_le=now())


def toutes(modele: Any, bonne: dict[str, Any], *fautes: dict[str, Any]) -> None:
    """Chaque faute est refusée seule ; la bonne ligne passe."""
    for faute in fautes:
        refuse(modele, **(bonne | faute))
    modele.objects.create(**bonne)


@pytest.mark.exigence("LT-01", "LT-02", "LT-12", "CF-01", "NO-07")
def test_souvenirs(identite: Identite) -> None:
    bonne = {
        "identite": identite, "categorie": "autre", "contenu": "adore", "origine": "proposition",
        "visibilite": "public", "plateformes": ["twitch"], "confiance": 50, "enregistre_le": now(), "garde": "1",
    }  # fmt: skip
    fautes: tuple[dict[str, Any], ...] = (
        {"categorie": "passion"},
        {"categorie": "confidence"},
        {"contenu": ""},
        {"contenu": "x" * 281},
        {"confiance": 101},
        {"confiance": -1},
        {"contradictions": -1},
        {"origine": "rumeur"},
        {"finalite": "curiosite"},
        {"visibilite": "secret"},
        {"plateformes": []},
        {"plateformes": ["icq"]},
    )
    toutes(Souvenir, bonne, *fautes)
    refuse(Souvenir, **bonne)
    Souvenir.objects.create(**(bonne | {"categorie": "confidence", "origine": "demande"}))


@pytest.mark.exigence("LT-08", "SE-03")
def test_propositions(identite: Identite) -> None:
    bonne = {
        "identite": identite, "epoque": 0, "plateforme": "twitch", "categorie": "autre", "contenu": "adore",
        "origine": "proposition", "fiabilite": 50, "visibilite": "public", "valide_par": "personne", "jeton": "j",
        "creee_le": now(), "expire_a": now() + timedelta(minutes=10),
    }  # fmt: skip
    fautes: tuple[dict[str, Any], ...] = (
        {"categorie": "passion"},
        {"contenu": ""},
        {"contenu": "x" * 281},
        {"origine": "rumeur"},
        {"finalite": "curiosite"},
        {"valide_par": "bot"},
        {"expire_a": now() + JOUR + timedelta(minutes=1)},
    )
    toutes(Proposition, bonne, *fautes)
    refuse(Proposition, **bonne)


@pytest.mark.exigence("CT-10", "CT-16")
def test_hypotheses_et_sources(identite: Identite) -> None:
    compte = Compte.objects.create(plateforme="twitch", externe_id="1", identite=identite)
    espace = Espace.objects.create(plateforme="twitch", externe_id="1", visibilite="public")
    bonne = {
        "compte": compte, "espace": espace, "visibilite": "public", "texte": "joueuse", "creee_le": now(),
        "expire_a": now() + timedelta(hours=1),
    }  # fmt: skip
    fautes: tuple[dict[str, Any], ...] = (
        {"texte": ""},
        {"texte": "x" * 281},
        {"finalite": "personnalisation"},
        {"expire_a": now() + JOUR + timedelta(minutes=1)},
    )
    toutes(Hypothese, bonne, *fautes)
    source = {"plateforme": "twitch", "message_id": "m", "expire_a": now()}
    refuse(Source, **source)
    souvenir = Souvenir.objects.create(
        identite=identite, categorie="autre", contenu="x", origine="demande", visibilite="public",
        plateformes=["twitch"], confiance=1, enregistre_le=now(), garde="1",
    )  # fmt: skip
    refuse(Source, hypothese=Hypothese.objects.get(), souvenir=souvenir, **source)
    Source.objects.create(hypothese=Hypothese.objects.get(), **source)


@pytest.mark.exigence("CF-06", "DR-03", "LT-09")
def test_temoins_verrous_libelles_et_decisions(identite: Identite) -> None:
    temoin = {"identite": identite, "categorie": "autre", "empreinte": "e", "vu_le": now()}
    toutes(Temoin, temoin, {"categorie": "passion"})
    refuse(Temoin, **temoin)
    verrou = {"identite": identite, "categorie": "", "avant": now()}
    toutes(VerrouOubli, verrou)
    refuse(VerrouOubli, **verrou)
    toutes(LibelleCategorie, {"code": "autre", "libelle": "x"}, {"code": "passion"})
    decision = {"heure": now(), "origine": "demande", "effet": "refuse"}
    toutes(DecisionNoyau, decision)
    refuse(DecisionNoyau, **decision)


@pytest.mark.exigence("DR-02", "DR-11")
def test_oublis_et_jetons(db: None) -> None:
    oubli = {
        "acte": uuid.uuid4(), "plateforme": "twitch", "externe_id": "1", "nature": "personne", "le": now(),
        "dit_le": now(),
    }  # fmt: skip
    toutes(Oubli, oubli, {"nature": "rumeur"}, {"plateforme": "icq"})
    refuse(Oubli, **oubli)
    toutes(JetonServi, {"empreinte": "e", "expire_a": now()})
    refuse(JetonServi, empreinte="e", expire_a=now())
