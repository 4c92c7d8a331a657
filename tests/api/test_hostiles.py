"""Chaque texte hostile dans chaque champ de l'API : jamais de 5xx, aller-retour exact ou refus, rien reproduit."""

import json
from typing import Any

import pytest
from django.utils.timezone import now

from horizon.models import Parametre
from horizon.parametres import DEBIT_CLE
from memoire.models import Interaction
from memoire.noyau.tri import motif_du_texte, texte_dit
from tests.api.test_natif_hostiles import avec
from tests.fabriques import ADA, PRIVE, SALON, Banc, iso, message, reponse
from tests.hostiles import HOSTILES

LOT = 100
PERSONNE = {"plateforme": "twitch", "id": ADA}
CONTEXTE = {
    "destination": {"plateforme": "twitch", "espace": {"id": "900100", "visibilite": "public"}},
    "interlocuteur": {"id": ADA},
    "budget_tokens": 500,
    "prestataire": "local",
}


@pytest.fixture(autouse=True)
def debit_large(db: None) -> None:
    Parametre.objects.create(cle=DEBIT_CLE.cle, valeur=DEBIT_CLE.maximum)


def octets(corps: Any) -> bytes:
    """JSON d'un corps, demi-codets échappés."""
    return json.dumps(corps).encode()


def avec_champ(modele: Any, chemin: str, valeur: Any) -> Any:
    """Le modèle dont un champ (« auteur.id », « ids.0 ») est remplacé."""
    copie = json.loads(json.dumps(modele))
    *debut, fin = chemin.split(".")
    cible = copie
    for cle in debut:
        cible = cible[cle]
    cible[int(fin) if isinstance(cible, list) else fin] = valeur
    return copie


def modele(genre: str) -> dict[str, Any]:
    ici = {"type": genre, "plateforme": "twitch", "espace": SALON}
    auteur, instant = {"id": "neuf"}, iso(now())
    return {
        "message": message(contexte={}, resultat="r", action="a"),
        "prive": message(espace=PRIVE, contexte={}),
        "reponse": reponse("r", "q"),
        "modification": ici | {"id": "m", "contenu": "c", "modifie_le": instant},
        "suppression": ici | {"ids": ["x"]},
        "purge_auteur": ici | {"auteur": auteur},
        "vidage": ici | {"espace": {"id": "y", "visibilite": "public"}},
        "releve": ici | {"depuis": instant, "jusqu_a": instant, "ids_vivants": ["x"]},
        "coupure": ici | {"debut": instant, "fin": instant},
        "direct": ici | {"id": "d", "debut": instant},
        "arrivee": ici | {"auteur": auteur, "instant": instant, "direct": "d"},
        "presence": ici | {"auteur": auteur, "debut": instant, "fin": instant},
        "participation": ici | {"auteur": auteur, "evenement": "raid", "id": "r", "instant": instant},
        "activite_web": ici | {"plateforme": "web", "auteur": auteur, "instant": instant, "page": "accueil"},
    }[genre]


CHAMPS = [
    *[("message", c) for c in (
        "type", "id", "plateforme", "espace.id", "espace.visibilite", "auteur.id", "auteur.pseudonyme", "auteur.nature",
        "nature", "contenu", "emis_le", "reponse_a", "contexte.jeu", "contexte.direct", "contexte.fil",
        "contexte.evenement", "contexte.inconnu", "action", "resultat", "inconnu")],
    ("prive", "espace.participants.0"), ("prive", "contenu"), ("reponse", "interlocuteur.id"), ("reponse", "contenu"),
    ("modification", "id"), ("modification", "contenu"), ("modification", "modifie_le"), ("suppression", "ids.0"),
    ("purge_auteur", "auteur.id"), ("vidage", "espace.id"), ("releve", "ids_vivants.0"), ("coupure", "fin"),
    ("direct", "id"), ("arrivee", "auteur.id"), ("arrivee", "direct"), ("presence", "auteur.id"),
    ("participation", "evenement"), ("participation", "id"), ("participation", "auteur.id"),
    ("activite_web", "page"), ("activite_web", "auteur.id"),
]  # fmt: skip


@pytest.mark.exigence("SR-08")
@pytest.mark.parametrize(("genre", "champ"), CHAMPS, ids=["-".join(c) for c in CHAMPS])
def test_chaque_champ_d_un_evenement(banc: Banc, genre: str, champ: str) -> None:
    base = modele(genre)
    for debut in range(0, len(HOSTILES), LOT):
        hostiles = HOSTILES[debut : debut + LOT]
        lot = [avec_champ(base if champ == "id" else base | _nom(genre, debut + n), champ, h)
               for n, h in enumerate(hostiles)]  # fmt: skip
        rendue = banc.poster("evenements/", octets({"evenements": lot}))
        assert rendue.status_code == 200, rendue.content[:300]
        assert len(rendue.json()["resultats"]) == len(lot)
        if champ not in {"id", "ids.0"}:
            assert not [h for h in hostiles if len(h) > 12 and h.strip() in rendue.content.decode()]


def _nom(genre: str, rang: int) -> dict[str, str]:
    return {"id": f"h{rang}"} if genre in {"message", "prive", "reponse"} else {}


@pytest.mark.exigence("SR-08", "CT-01")
def test_un_texte_garde_revient_a_l_octet_pres(banc: Banc) -> None:
    """Chaque texte est gardé exactement, ou refusé en entier : jamais nettoyé, rogné ni échappé."""
    gardes = 0
    for rang, hostile in enumerate(HOSTILES):
        corps = octets({"evenements": [message(hostile, id=f"h{rang}")]})
        resultat = banc.poster("evenements/", corps).json()["resultats"][0]
        if resultat["statut"] == "memorise":
            assert Interaction.objects.get(message_id=f"h{rang}").contenu == texte_dit(hostile)
            gardes += 1
        else:
            illisible = "\x00" in hostile or "\ud800" in hostile or len(hostile) > 8000
            assert illisible or motif_du_texte(hostile, False), hostile[:40]
    assert gardes > 400


AUTRES = [
    ("contexte/", CONTEXTE, c) for c in (
        "destination.plateforme", "destination.espace.id", "destination.espace.visibilite", "interlocuteur.id",
        "budget_tokens", "prestataire")
]  # fmt: skip
AUTRES += [("avis/remise/", {"jeton": "x"}, "jeton")]
AUTRES += [
    (adresse, {"personne": PERSONNE, "espace": {"plateforme": "twitch", "id": "900100"}}, champ)
    for adresse in ("pauses/", "pauses/fin/")
    for champ in ("personne.id", "personne.plateforme", "espace.id", "espace.plateforme")
]


@pytest.mark.lent
@pytest.mark.exigence("SR-08")
@pytest.mark.parametrize(("adresse", "corps", "champ"), AUTRES, ids=[f"{a}{c}" for a, _, c in AUTRES])
def test_chaque_champ_des_autres_operations(banc: Banc, adresse: str, corps: Any, champ: str) -> None:
    for hostile in HOSTILES:
        rendue = banc.poster(adresse, octets(avec_champ(corps, champ, hostile)))
        assert rendue.status_code < 500, (champ, hostile)
        assert len(hostile) <= 12 or hostile.strip() not in rendue.content.decode(), (champ, hostile)


NATIFS = [
    ("evenements/twitch/", "t01_message", f"payload.event.{c}")
    for c in ("message_id", "message.text", "chatter_user_id", "chatter_user_name", "broadcaster_user_id")
]
NATIFS += [
    ("evenements/discord/", "d01_message", f"d.{c}")
    for c in ("id", "content", "channel_id", "timestamp", "author.id", "author.username")
]


@pytest.mark.lent
@pytest.mark.exigence("SR-08")
@pytest.mark.parametrize(("adresse", "nom", "champ"), NATIFS, ids=[f"{n}-{c}" for _, n, c in NATIFS])
def test_chaque_champ_des_charges_natives(banc: Banc, adresse: str, nom: str, champ: str) -> None:
    for hostile in HOSTILES:
        rendue = banc.poster(adresse, octets(avec(nom, champ, hostile)))
        assert rendue.status_code in {200, 400}, (champ, hostile)
        if not champ.endswith("id"):
            assert len(hostile) <= 12 or hostile.strip() not in rendue.content.decode(), (champ, hostile)


@pytest.mark.exigence("SR-08")
@pytest.mark.parametrize("mega", [1, 7])
def test_un_corps_enorme(banc: Banc, mega: int) -> None:
    rendue = banc.poster("evenements/", octets({"evenements": [message("x" * mega * 1024 * 1024)]}))
    assert rendue.status_code == (200 if mega == 1 else 413)
    if mega == 1:
        assert rendue.json()["resultats"][0]["statut"] == "invalide"
    assert not Interaction.objects.exists()
