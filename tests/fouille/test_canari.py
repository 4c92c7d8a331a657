"""Le canari lâché partout : il entre par chaque champ de texte, on supprime ou le temps passe, puis il n'est plus
nulle part (DR-09, SR-12)."""

import logging
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.utils.timezone import now

from horizon.api.debit import oublier_les_plafonds
from horizon.services import purge
from tests.api.natives import charge, entetes
from tests.fabriques import ADA, PRIVE, SALON, Banc, configurer_salon, creer_banc, il_y_a, iso, message, reponse
from tests.fouille import lieux

MOT = "genettevairon4127"
"""Sans accent ni majuscule : il doit aussi pouvoir être un code ou un identifiant."""
PARLE = f"Genettevairon4127 – à personne : {MOT} \\u00e9 %20 é"


@pytest.fixture
def banc(transactional_db: None) -> Banc:
    oublier_les_plafonds()
    cache.clear()
    configurer_salon()
    configurer_salon("42", "discord")
    return creer_banc()


@pytest.fixture
def journal() -> Iterator[list[str]]:
    """Tout ce que le Poste écrit dans ses journaux pendant l'essai, une fois passé par son filtre."""
    racine = logging.getLogger()
    ecrits: list[str] = []
    manieur = logging.Handler()
    setattr(manieur, "emit", lambda ligne: ecrits.append(racine.handlers[0].format(ligne)))  # noqa: B010
    racine.addHandler(manieur)
    yield ecrits
    racine.removeHandler(manieur)


def restes(journal: list[str], *rendues: Any) -> list[str]:
    """Où le canari se lit encore, en base, dans un export, dans la file, au journal et dans des réponses."""
    return lieux.trouver(
        MOT,
        lieux.base(),
        lieux.export(),
        lieux.file_et_cache(),
        [("journal", "\n".join(journal).encode())],
        lieux.reponses(*rendues),
    )


def supprimer(*ids: str) -> dict[str, Any]:
    return {"type": "suppression", "plateforme": "twitch", "ids": list(ids)}


def riche(**champs: Any) -> dict[str, Any]:
    """Un message dont chaque champ de contenu porte le canari, et d'autres que le contrat ne connaît pas."""
    return message(
        PARLE,
        resultat=f"r {MOT}",
        action=MOT,
        contexte={"jeu": PARLE, "direct": MOT, "fil": MOT, "evenement": MOT},
        brut={"embed": [PARLE]},
        **champs,
    )


def entrer(banc: Banc) -> list[str]:
    """Fait entrer le canari par chaque champ que la mémoire garde ; rend les identifiants de ce qui est gardé."""
    banc.remettre_avis()
    modifie = {"type": "modification", "plateforme": "twitch", "espace": SALON, "id": "modifie", "contenu": PARLE}
    lot = [
        riche(id="public", emis_le=il_y_a(minutes=3)),
        riche(id="prive", espace=PRIVE, emis_le=il_y_a(minutes=3)),
        message(PARLE + " zz" * 2500, id="long", emis_le=il_y_a(minutes=3)),
        message("avant", id="modifie", emis_le=il_y_a(minutes=5)),
        modifie | {"modifie_le": il_y_a(minutes=2)},
        message("q", id="question", emis_le=il_y_a(minutes=3)),
        reponse(PARLE, "question", id="reponse", resultat=MOT, emis_le=il_y_a(minutes=2)),
        *[message(PARLE * 9, id=f"n{n}", emis_le=il_y_a(minutes=3)) for n in range(20)],
    ]
    statuts = [r["statut"] for r in banc.envoyer(*lot)]
    assert statuts == ["memorise"] * 4 + ["modifie"] + ["memorise"] * 22
    return sorted({e["id"] for e in lot})


LIEUX = (SALON, {"id": PRIVE["id"], "visibilite": "prive"})
FINS: dict[str, Callable[[Banc, list[str]], Any]] = {
    "suppression": lambda b, ids: b.un(supprimer(*ids)),
    "purge de l'auteur": lambda b, ids: b.envoyer(
        *[{"type": "purge_auteur", "plateforme": "twitch", "espace": lieu, "auteur": {"id": ADA}} for lieu in LIEUX]
    ),
    "vidage": lambda b, ids: b.envoyer(
        *[{"type": "vidage", "plateforme": "twitch", "espace": lieu} for lieu in LIEUX]
    ),
    "coupure": lambda b, ids: b.envoyer(
        *[{"type": "coupure", "plateforme": "twitch", "espace": lieu, "debut": il_y_a(minutes=1), "fin": iso(now())}
          for lieu in LIEUX]
    ),
    "modification": lambda b, ids: b.envoyer(
        *[{"type": "modification", "plateforme": "twitch", "espace": SALON, "id": i, "contenu": "!rien",
           "modifie_le": iso(now())} for i in ids]
    ),
    "expiration": lambda b, ids: purge.passer(maintenant=now() + timedelta(hours=24, minutes=1), par="commande"),
}  # fmt: skip


@pytest.mark.exigence("SR-12", "CT-06", "CT-11", "CT-17")
@pytest.mark.parametrize("fin", FINS)
def test_ce_qui_est_efface_n_est_plus_nulle_part(banc: Banc, journal: list[str], fin: str) -> None:
    ids = entrer(banc)
    assert lieux.trouver(MOT, lieux.base())
    assert banc.dits()
    analyser()
    FINS[fin](banc, ids)
    assert restes(journal) == []


def analyser() -> None:
    """Ce que l'auto-vacuum fait de lui-même : les statistiques d'une colonne en retiendraient des valeurs."""
    with connection.cursor() as curseur:
        curseur.execute("ANALYZE")


REFUS: dict[str, dict[str, Any]] = {
    "commande": {"contenu": f"!{MOT} {PARLE}"},
    "bot": {"auteur": {"id": "5", "pseudonyme": MOT, "nature": "bot"}},
    "webhook": {"auteur": {"id": MOT, "pseudonyme": MOT, "nature": "webhook"}},
    "espace inconnu": {"espace": {"id": MOT, "visibilite": "public"}},
    "groupe": {"espace": {"id": MOT, "visibilite": "prive", "participants": [ADA, "poubelle", MOT]}},
    "sans avis": {"espace": PRIVE},
    "trop vieux": {"emis_le": "2026-01-01T00:00:00Z"},
    "trop tôt": {"emis_le": "2126-01-01T00:00:00Z"},
    "type inconnu": {"type": MOT},
    "champ fautif": {"contexte": {MOT: MOT}},
    "identifiant fautif": {"id": f"{MOT} "},
    "nul": {"contenu": f"{MOT}\0"},
    "demi-codet": {"contenu": f"{MOT}\ud83d"},
    "trop long": {"contenu": MOT * 1000},
    "instant faux": {"emis_le": MOT},
    "plateforme fausse": {"plateforme": MOT},
}


@pytest.mark.exigence("CT-03", "SR-12")
def test_ce_qui_est_refuse_ne_laisse_rien_nulle_part(banc: Banc, journal: list[str]) -> None:
    rendues = []
    for cas, champs in REFUS.items():
        rendue = banc.poster("evenements/", {"evenements": [message(PARLE, id="m1") | champs]})
        assert rendue.status_code == 200, cas
        assert rendue.json()["resultats"][0]["statut"] in {"exclu", "invalide"}, cas
        rendues.append(rendue)
    analyser()
    assert restes(journal, *rendues) == []


HORS_DES_LOTS: dict[str, Callable[[Banc], Any]] = {
    "pas du JSON": lambda b: b.poster("evenements/", PARLE.encode()),
    "enveloppe": lambda b: b.poster("evenements/", {MOT: [MOT]}),
    "charge twitch fautive": lambda b: b.poster("evenements/twitch/", {"metadata": MOT, "payload": PARLE}),
    "charge discord d'un autre type": lambda b: b.poster("evenements/discord/", {"t": MOT, "d": {MOT: PARLE}}),
    "charge discord fautive": lambda b: b.poster("evenements/discord/", {"t": "MESSAGE_CREATE", "d": {"id": PARLE}}),
    "étiquette": lambda b: b.poster(f"evenements/discord/?nature={MOT}&{MOT}={MOT}", charge("d22_poubelle")),
    "en-têtes": lambda b: b.poster("evenements/twitch/", charge("t18_webhook"), **entetes(ident=f"{MOT} ")),
    "signature": lambda b: Banc("", b.bot).client.post(
        "/api/v1/evenements/twitch/", PARLE, content_type="application/json",
        headers={**entetes(ident=MOT), "Twitch-Eventsub-Message-Signature": f"sha256={MOT}"},
    ),
    "jeton d'avis": lambda b: b.poster("avis/remise/", {"jeton": PARLE}),
    "contexte d'un inconnu": lambda b: b.poster("contexte/", {
        "destination": {"plateforme": "twitch", "espace": {"id": MOT, "visibilite": "public"}},
        "interlocuteur": {"id": MOT}, "budget_tokens": 500, "prestataire": MOT}),
    "pause mal dite": lambda b: b.poster("pauses/", {"personne": {"plateforme": MOT, "id": MOT}}),
    "clé d'idempotence": lambda b: b.poster(
        "pauses/fin/", {"personne": {"plateforme": "twitch", "id": MOT}}, **{"Idempotency-Key": MOT}
    ),
    "clé fausse": lambda b: Banc(MOT, b.bot).poster("evenements/", {"evenements": []}),
    "adresse": lambda b: b.client.get(f"/api/v1/{MOT}/?{MOT}={MOT}", headers={"Referer": MOT, "User-Agent": MOT}),
    "page": lambda b: b.client.get(f"/{MOT}/?{MOT}={MOT}"),
    "connexion": lambda b: b.client.post("/comptes/connexion/", {"login": "x", "password": MOT}),
}  # fmt: skip


@pytest.mark.exigence("SR-12")
def test_ce_qui_est_mal_adresse_ne_laisse_rien_nulle_part(banc: Banc, journal: list[str]) -> None:
    banc.client.raise_request_exception = False
    rendues = {cas: acte(banc) for cas, acte in HORS_DES_LOTS.items()}
    assert not {cas: r.status_code for cas, r in rendues.items() if r.status_code >= 500}
    analyser()
    assert restes(journal, *rendues.values()) == []


@pytest.mark.exigence("ID-08", "CT-06", "ST-04")
def test_personne_oubliee_rien_d_elle_ne_reste(banc: Banc, journal: list[str]) -> None:
    """Pseudonyme et identifiants compris : trente jours après son dernier mot, et la pierre tombale à son heure."""
    auteur = {"id": MOT, "pseudonyme": f"Ada {MOT}"}
    banc.envoyer(
        riche(id=f"a-{MOT}", auteur=auteur, emis_le=il_y_a(minutes=9)),
        riche(id=f"b-{MOT}", auteur=auteur | {"pseudonyme": f"{MOT} deux"}),
        supprimer(f"a-{MOT}", f"jamais-vu-{MOT}"),
        {"type": "purge_auteur", "plateforme": "twitch", "espace": SALON, "auteur": {"id": MOT}},
        {"type": "participation", "plateforme": "twitch", "auteur": {"id": MOT}, "evenement": "raid", "id": MOT,
         "instant": iso(now())},
    )  # fmt: skip
    with time_machine.travel(now() + timedelta(days=32)):
        purge.passer(maintenant=now(), par="commande")
        assert restes(journal) == []


@pytest.mark.exigence("SR-12")
def test_une_base_qui_tombe_ne_cite_rien(banc: Banc, journal: list[str]) -> None:
    with connection.cursor() as curseur:
        curseur.execute(
            """CREATE FUNCTION citer() RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN RAISE EXCEPTION 'refusé : %', NEW.contenu; END $$;
               CREATE TRIGGER citer BEFORE INSERT ON memoire_interaction FOR EACH ROW EXECUTE FUNCTION citer();"""
        )
    try:
        banc.client.raise_request_exception = False
        rendue = banc.poster("evenements/", {"evenements": [message(PARLE)]})
    finally:
        with connection.cursor() as curseur:
            curseur.execute("DROP TRIGGER citer ON memoire_interaction; DROP FUNCTION citer()")
    assert rendue.status_code == 503
    assert journal
    assert restes(journal, rendue) == []
