"""Ce que coûtent la mémoire longue et l'oubli : un nombre de requêtes fixe, et des temps (`-m banc -n 0`)."""

import time
from collections.abc import Callable, Sequence
from statistics import quantiles
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from horizon.models import Compte, Identite
from horizon.noyau.decision import EXPLOITATION
from horizon.services import oublis
from horizon.services.identites import revendiquer
from memoire.banc.matiere import peupler_comptes
from memoire.models import Interaction, Souvenir
from memoire.noyau.categories import CATEGORIES, Origine
from memoire.services.souvenirs import Ecriture, enregistrer
from tests.fabriques import ADA, BILAL, SALON, Banc, configurer_salon, creer_banc, message
from tests.longue.gestes import annoncer, memoriser, personne, proposer

TOUT = {"tout": True}


def requetes(acte: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as captees:
        acte()
    return len([q for q in captees.captured_queries if "SAVEPOINT" not in q["sql"]])


def remplir(banc: Banc, qui: str, souvenirs: int, comptes: int, messages: int) -> None:
    """Une Personne revendiquée : souvenirs, comptes liés, messages d'un lot."""
    lies = [("twitch", f"{qui}-{n}") for n in range(comptes)]
    revendiquer(plateforme="twitch", externe_id=qui, motif="essai", par=EXPLOITATION, maintenant=now(), lier=lies)
    auteurs = [{"id": externe, "pseudonyme": "A"} for externe in [qui, *(e for _, e in lies)]]
    if messages:
        banc.envoyer(*[message(f"mot {n}", auteur=auteurs[n % len(auteurs)]) for n in range(messages)])
    for code in list(CATEGORIES)[:souvenirs]:
        assert memoriser(banc, "adore le thé", code, personne=personne(qui)).status_code == 201


@pytest.fixture
def deux(db: Any) -> Banc:
    """Ada n'a presque rien, Bilal a tout : ce qui coûte autant pour l'une que pour l'autre ne dépend de rien."""
    configurer_salon()
    banc = creer_banc()
    remplir(banc, ADA, 1, 1, 2)
    remplir(banc, BILAL, 10, 6, 120)
    banc.contexte(ADA)
    return banc


@pytest.mark.exigence("SR-02")
def test_ecrire_coute_un_nombre_fixe_de_requetes(deux: Banc) -> None:
    def ecrire(qui: str) -> int:
        return requetes(lambda: memoriser(deux, "adore le café", "rencontre", personne=personne(qui)))

    ecrire(ADA)
    assert ecrire(ADA) == ecrire(BILAL) <= 32


@pytest.mark.exigence("SR-02")
def test_proposer_sur_un_ou_dix_messages_coute_autant(deux: Banc) -> None:
    def ids(qui: str, nombre: int) -> list[str]:
        siens = Interaction.objects.filter(compte__externe_id=qui).values_list("message_id", flat=True)
        return list(siens[:nombre])

    def proposees(texte: str, nombre: int, categorie: str) -> int:
        bilal = {"personne": personne(BILAL)}
        return requetes(lambda: proposer(deux, texte, ids(BILAL, nombre), categorie, fiabilite=100, **bilal))

    Souvenir.objects.filter(categorie__in=("autre", "evenement")).delete()
    # Un témoin par message invoqué : le seul coût qui suive leur nombre, borné par le contrat.
    un, dix = proposees("adore le chocolat", 1, "autre"), proposees("adore la soupe", 10, "evenement")
    assert dix - un <= 9 * 4


@pytest.mark.exigence("SR-02", "DR-02")
@pytest.mark.parametrize("cible", [TOUT, {"categorie": "rencontre"}], ids=["tout", "catégorie"])
def test_oublier_coute_un_nombre_fixe_de_requetes(deux: Banc, cible: dict[str, Any]) -> None:
    def oublier(qui: str) -> tuple[int, int]:
        jetons: list[str] = []
        annonce = requetes(lambda: jetons.append(annoncer(deux, cible, personne(qui)).json()["jeton"]))
        return annonce, requetes(lambda: deux.poster("oublis/confirmation/", {"jeton": jetons[0]}))

    # Un compte de plus, une date d'oubli de plus : rien d'autre ne suit leur nombre.
    comptes = {qui: Compte.objects.filter(externe_id__startswith=qui).count() for qui in (ADA, BILAL)}
    (annonce_a, ada), (annonce_b, bilal) = oublier(ADA), oublier(BILAL)
    assert annonce_a == annonce_b <= 14
    assert bilal == ada <= 60, comptes
    assert not Souvenir.objects.filter(categorie="rencontre").exists()


@pytest.mark.exigence("SR-02")
def test_le_contexte_coute_autant_avec_un_ou_dix_souvenirs(deux: Banc) -> None:
    assert requetes(lambda: deux.contexte(ADA)) == requetes(lambda: deux.contexte(BILAL))


# --- Temps


def p95(actes: Sequence[Callable[[], Any]]) -> float:
    temps = []
    for acte in actes:
        debut = time.perf_counter()
        acte()
        temps.append((time.perf_counter() - debut) * 1000)
    return quantiles(temps, n=20)[-1]


@pytest.mark.banc
@pytest.mark.exigence("SR-02")
def test_temps_d_ecriture_et_d_oubli(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Décision et écriture p95 ≤ 20 ms hors garde ; oublier 10 souvenirs et 1 000 interactions ≤ 200 ms ; plat de
    10 k à 1 M d'Identités."""
    from horizon.noyau.sensibilite import Avis, Verdict

    configurer_salon()
    admis = Avis(Verdict.ADMIS, "", "")
    monkeypatch.setattr("memoire.services.souvenirs.examiner", lambda *_, **__: admis)
    mesures = {}
    for population in (10_000, 1_000_000):
        peupler_comptes(population - Identite.objects.count(), now()) if population == 10_000 else _grossir(population)
        mesures[population] = _mesurer(population)
        print(f"\n{population} Identités : {mesures[population]}")
    petit, grand = mesures[10_000], mesures[1_000_000]
    assert max(petit["ecriture"], grand["ecriture"]) <= 20
    assert max(petit["oubli"], grand["oubli"]) <= 200
    assert grand["ecriture"] <= 2 * petit["ecriture"] + 2


def _grossir(population: int) -> None:
    with connection.cursor() as curseur:
        curseur.execute(
            """WITH n AS (INSERT INTO horizon_identite (id, epoque, creee_le, revendiquee_le)
                 SELECT gen_random_uuid(), 0, now(), now() FROM generate_series(1, %s) RETURNING id)
               INSERT INTO horizon_compte (plateforme, externe_id, nature, identite_id, pseudonyme)
               SELECT 'twitch', 'g' || row_number() OVER (), 'personne', id, '' FROM n""",
            [population - Identite.objects.count()],
        )
        curseur.execute("ANALYZE horizon_identite, horizon_compte")


def _mesurer(population: int) -> dict[str, float]:
    gens = [("twitch", str(10 * n)) for n in range(100)]

    def ecrire(cle: tuple[str, str], categorie: str) -> Callable[[], Any]:
        ecriture = Ecriture(cle, Origine.DEMANDE, categorie, "adore le thé", espace=(SALON["id"], "public"))
        return lambda: enregistrer(ecriture, par=EXPLOITATION, maintenant=now())

    ecriture = p95([ecrire(cle, code) for cle in gens for code in CATEGORIES])
    comptes = dict(Compte.objects.filter(externe_id__in=[e for _, e in gens]).values_list("externe_id", "pk"))
    with connection.cursor() as curseur:
        curseur.execute(
            """INSERT INTO memoire_interaction (plateforme, message_id, etat, espace_id, compte_id, auteur, visibilite,
                   contenu, finalite, emis_le, recu_le, expire_a)
               SELECT 'twitch', 'o' || %s || '-' || n, 'vivante', (SELECT min(id) FROM horizon_espace), c, 'personne',
                   'public', 'mot', 'continuite', now(), now(), now() + interval '23 hours'
               FROM unnest(%s::bigint[]) c, generate_series(c * 1000, c * 1000 + 999) n""",
            [str(population), [comptes[e] for _, e in gens[:20]]],
        )
    jetons = [oublis.demander(cle, par=EXPLOITATION, maintenant=now()).jeton for cle in gens[:20]]
    confirmer = [
        lambda j=j: oublis.confirmer(j, plateformes=["twitch"], par=EXPLOITATION, maintenant=now()) for j in jetons
    ]
    oubli = p95(confirmer)
    assert not Interaction.objects.filter(etat="vivante").exists()
    debut = time.perf_counter()
    from horizon.services import vacuum

    assert vacuum.passer()
    return {
        "ecriture": round(ecriture, 1),
        "oubli": round(oubli, 1),
        "vacuum": round((time.perf_counter() - debut) * 1000),
    }
