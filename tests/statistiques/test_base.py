"""Ce que la base refuse à qui contourne les services, et ce qu'elle ne peut pas contenir."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.models import CompositePrimaryKey
from django.utils.timezone import now

from horizon.models import Espace, Identite
from horizon.noyau.motifs import FINALITES
from memoire.models import Interaction
from statistiques.models import Direct, Marque, Observation
from statistiques.noyau.mesures import MESURES
from tests.fabriques import ADA, SALON, Banc, message
from tests.fouille import tout_le_texte
from tests.statistiques.fabriques import arrivee, direct, participation, presence

JOUR = date(2026, 11, 30)
MIDI = datetime(2026, 11, 30, 12, tzinfo=UTC)


def refuse(modele: Any, **champs: Any) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        modele.objects.create(**champs)


def une_observation() -> dict[str, Any]:
    identite = Identite.objects.create(creee_le=now(), revendiquee_le=now())
    return {
        "identite": identite, "plateforme": "twitch", "mesure": "message", "jour": JOUR, "finalite": "statistiques",
        "instants": [MIDI],
    }  # fmt: skip


@pytest.mark.exigence("ST-02", "ST-03", "NO-07", "ST-04")
@pytest.mark.parametrize(
    "faute",
    [
        {"plateforme": "icq"},
        {"plateforme": ""},
        {"mesure": "score"},
        {"plateforme": "discord", "mesure": "presence", "reperes": [MIDI]},
        {"plateforme": "twitch", "mesure": "activite_web"},
        {"finalite": None},
        {"finalite": "continuite"},
        {"finalite": "curiosite"},
        {"instants": []},
        {"instants": None},
        {"instants": [MIDI + timedelta(hours=12)]},
        {"instants": [MIDI, MIDI - timedelta(hours=12, microseconds=1)]},
        {"reperes": [MIDI]},
        {"mesure": "presence"},
        {"mesure": "presence", "reperes": [MIDI, MIDI]},
        {"mesure": "arrivee", "reperes": []},
    ],
)
def test_observation_refusee(db: None, faute: dict[str, Any]) -> None:
    refuse(Observation, **(une_observation() | faute))


@pytest.mark.exigence("ST-02")
def test_observation_admise_une_fois_par_cle(db: None) -> None:
    bonne = une_observation()
    bords = [MIDI - timedelta(hours=12), MIDI + timedelta(hours=12, microseconds=-1)]
    Observation.objects.create(**(bonne | {"instants": bords}))
    refuse(Observation, **bonne)
    Observation.objects.create(**(bonne | {"mesure": "arrivee", "reperes": [None]}))


@pytest.mark.exigence("ST-02")
def test_marque_et_direct(db: None) -> None:
    identite = Identite.objects.create(creee_le=now())
    espace = Espace.objects.create(plateforme="twitch", externe_id="1", visibilite="public")
    Marque.objects.create(identite=identite, empreinte=1, instant=MIDI)
    refuse(Marque, identite=identite, empreinte=1, instant=MIDI)
    refuse(Direct, espace=espace, identifiant="d1")
    Direct.objects.create(espace=espace, identifiant="d1", debut=MIDI)
    refuse(Direct, espace=espace, identifiant="d1", fin=MIDI)


@pytest.mark.exigence("NO-07")
def test_chaque_modele_n_admet_que_sa_finalite(db: None) -> None:
    assert {"continuite", "statistiques"} <= FINALITES.keys()
    refuse(
        Interaction, plateforme="twitch", message_id="m1", espace_id=1, compte_id=1, auteur="personne",
        visibilite="public", contenu="x", emis_le=MIDI, recu_le=MIDI, expire_a=MIDI, finalite="statistiques",
    )  # fmt: skip


@pytest.mark.exigence("ST-03")
def test_rien_ne_peut_sommer_deux_plateformes() -> None:
    """Toute ligne porte une plateforme dans sa clé ; aucune colonne ne contient un nombre, un score ni un total."""
    cle = Observation._meta.pk
    assert isinstance(cle, CompositePrimaryKey)
    assert "plateforme" in {champ.name for champ in cle.fields}
    types = {f.name: f.get_internal_type() for f in Observation._meta.concrete_fields}
    assert set(types.values()) <= {"ForeignKey", "CharField", "DateField", "ArrayField"}
    assert all(plateformes for plateformes in MESURES.values())


@pytest.mark.exigence("ST-05")
def test_aucune_observation_ne_peut_designer_un_message_ni_un_espace(db: None) -> None:
    for modele in (Observation, Marque):
        liens = {f.related_model for f in modele._meta.concrete_fields if f.is_relation}
        assert liens == {Identite}
    champs = {f.name for f in Observation._meta.concrete_fields}
    assert champs == {"identite", "plateforme", "mesure", "jour", "finalite", "instants", "reperes"}
    assert {f.name for f in Marque._meta.concrete_fields} == {"identite", "empreinte", "instant"}
    # Aucun autre modèle de l'app ne tient à une Identité.
    autres = [m for m in apps.get_app_config("statistiques").get_models() if m not in (Observation, Marque)]
    assert not [f for m in autres for f in m._meta.concrete_fields if f.related_model is Identite]


@pytest.mark.exigence("ST-05", "ST-04")
def test_aucun_identifiant_recu_ne_se_retrouve_dans_une_observation(banc: Banc, ada: Identite) -> None:
    banc.envoyer(
        message("zorille", id="msg-canari", espace=SALON),
        participation(id="raid-canari"),
        arrivee(direct="direct-canari"),
        presence(),
        direct(id="direct-canari", debut=presence()["debut"]),
    )
    texte = "\n".join(str(ligne) for m in (Observation, Marque) for ligne in m.objects.values_list())
    assert "message" in texte
    for interdit in ("zorille", "canari", SALON["id"], f"'{ADA}'"):
        assert interdit not in texte
    assert "raid-canari" not in tout_le_texte()
