"""Le canari dans la mémoire longue : il entre par chaque champ de texte, on oublie, puis il n'est plus nulle part."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.utils.timezone import now

from horizon.api.debit import oublier_les_plafonds
from horizon.models import Battement
from horizon.noyau.decision import EXPLOITATION
from horizon.services import purge
from horizon.services.identites import revendiquer
from memoire.models import Hypothese, Proposition, Souvenir
from tests.fabriques import ADA, SALON, Banc, configurer_salon, creer_banc, message
from tests.fouille import lieux
from tests.longue.gestes import annoncer, memoriser, observer, oublier, personne, proposer

MOT = "genettevairon4127"
INTERDIT = f"est diabétique, {MOT}"
DOUTEUX = f"son courriel est {MOT}@exemple.fr"


@pytest.fixture
def banc(transactional_db: None) -> Banc:
    oublier_les_plafonds()
    cache.clear()
    configurer_salon()
    revendiquer(plateforme="twitch", externe_id=ADA, motif="essai", par=EXPLOITATION, maintenant=now())
    return creer_banc()


@pytest.fixture
def journal() -> Iterator[list[str]]:
    racine = logging.getLogger()
    ecrits: list[str] = []
    manieur = logging.Handler()
    setattr(manieur, "emit", lambda ligne: ecrits.append(racine.handlers[0].format(ligne)))  # noqa: B010
    racine.addHandler(manieur)
    yield ecrits
    racine.removeHandler(manieur)


def restes(journal: list[str], registre: Path) -> list[str]:
    """Base, catalogues, export, file et cache, journal du Poste, journaux des programmes, registre des oublis."""
    octets = registre.read_bytes() if registre.exists() else b""
    return lieux.trouver(
        MOT,
        lieux.base(),
        lieux.export(),
        lieux.file_et_cache(),
        lieux.journaux(),
        [("journal", "\n".join(journal).encode()), ("registre", octets)],
    )


def entrer(banc: Banc) -> None:
    """Le canari par chaque champ de texte de la mémoire longue ; vérifie que chacun a bien été gardé ou refusé."""
    ids = [banc.un(message(f"{MOT} {n} en passant"))["id"] for n in range(3)]
    cle = {"Idempotency-Key": MOT}

    def corps(contenu: str, categorie: str, **champs: Any) -> dict[str, Any]:
        base = {"personne": personne(), "origine": "demande", "contenu": contenu, "espace": SALON}
        return base | {"categorie": categorie} | champs

    statuts = {
        "accepté": banc.poster("souvenirs/", corps(f"adore {MOT}", "preference"), **cle),
        "remplacé": memoriser(banc, f"adore surtout {MOT}", "preference"),
        "corrigé": banc.poster(
            "corrections/", {"personne": personne(), "categorie": "preference", "contenu": f"déteste {MOT}"}
        ),
        "déplacé": banc.poster(
            "corrections/",
            {
                "personne": personne(),
                "categorie": "preference",
                "contenu": f"adore {MOT}",
                "nouvelle_categorie": "autre",
            },
        ),
        "proposé": proposer(banc, f"joue à {MOT}", ids[:1], "evenement", fiabilite=60),
        "observé": observer(banc, "contradiction", MOT, "evenement", contenu=f"fuit {MOT}", fiabilite=100),
        "en attente": memoriser(banc, DOUTEUX, "taniere"),
        "correction en attente": banc.poster(
            "corrections/", {"personne": personne(), "categorie": "autre", "contenu": DOUTEUX}
        ),
        "refusé": memoriser(banc, INTERDIT, "confidence"),
        "trop long": memoriser(banc, f"{MOT} " * 40, "confidence"),
        "supposé": banc.poster(
            "hypotheses/",
            {
                "personne": personne(),
                "texte": f"a l’air d’humeur joueuse, adore {MOT}",
                "espace": SALON,
                "sources": ids[1:],
            },
        ),
        "diagnostic": banc.poster(
            "hypotheses/", {"personne": personne(), "texte": INTERDIT, "espace": SALON, "sources": ids[1:]}
        ),
        "jeton": banc.poster("validations/", {"personne": personne(), "jeton": MOT, "accepte": True}),
        "confirmation": banc.poster("oublis/confirmation/", {"jeton": MOT}),
        "catégorie": annoncer(banc, {"categorie": MOT[:12].strip("0123456789")}),
        "catégorie longue": annoncer(banc, {"categorie": MOT}),
    }
    attendus = {
        "accepté": 201, "remplacé": 201, "corrigé": 201, "déplacé": 201, "proposé": 201, "observé": 200,
        "en attente": 202, "correction en attente": 202, "refusé": 422, "trop long": 422, "supposé": 201,
        "diagnostic": 422, "jeton": 410, "confirmation": 410, "catégorie": 422, "catégorie longue": 400,
    }  # fmt: skip
    assert {nom: rendue.status_code for nom, rendue in statuts.items()} == attendus
    presents = (Souvenir.objects.count(), Proposition.objects.count(), Hypothese.objects.count())
    assert presents == (2, 2, 1)
    for nom, rendue in statuts.items():
        assert lieux.trouver(MOT, [(nom, rendue.content)]) == []


@pytest.mark.exigence("DR-09", "DR-02", "SE-02", "SE-03")
def test_apres_l_oubli_et_la_purge_le_canari_n_est_plus_nulle_part(
    banc: Banc, journal: list[str], registre: Path
) -> None:
    entrer(banc)
    assert lieux.trouver(MOT, lieux.base())
    with connection.cursor() as curseur:
        curseur.execute("ANALYZE")
    assert oublier(banc, {"tout": True}).status_code == 200
    assert restes(journal, registre) == []
    purge.passer(maintenant=now(), par="commande")
    assert restes(journal, registre) == []
    assert registre.exists()


TABLES = ("memoire_souvenir", "memoire_proposition", "memoire_hypothese")


@pytest.mark.exigence("DR-09")
def test_vacuum_suit_l_oubli_et_lui_seul(banc: Banc) -> None:
    """Ce que l'oubli laisse de lignes mortes quitte le disque à la passe suivante : ces tables, vidées, n'ont plus une
    page, et le canari n'est plus dans leurs fichiers."""
    entrer(banc)
    purge.passer(maintenant=now(), par="commande")
    assert not Battement.objects.filter(nom="vacuum").exists()
    oublier(banc, {"tout": True})
    assert all(pages(t) for t in TABLES)
    assert lieux.trouver(MOT, *[lieux.fichiers(t) for t in TABLES])
    purge.passer(maintenant=now(), par="commande")
    assert not any(pages(t) for t in TABLES)
    assert lieux.trouver(MOT, *[lieux.fichiers(t) for t in TABLES]) == []
    assert Battement.objects.filter(nom="vacuum").exists()


def pages(table: str) -> int:
    with connection.cursor() as curseur:
        curseur.execute("SELECT pg_relation_size(%s) / 8192", [table])
        return int(curseur.fetchone()[0])
