"""Courses forcées : chaque ordre de passage est imposé par un verrou que l'essai tient, puis rendu."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils.timezone import now

from horizon import registre
from horizon.api.debit import oublier_les_plafonds
from horizon.models import Compte, Oubli, Trace
from horizon.noyau.decision import EXPLOITATION
from horizon.services.identites import revendiquer
from memoire.models import Hypothese, Interaction, Proposition, Souvenir
from memoire.services import validations
from tests.concurrence.test_courses import ensemble
from tests.exploitation.outils import attendre
from tests.fabriques import ADA, SALON, Banc, configurer_salon, creer_banc, il_y_a, message
from tests.longue.gestes import DOUTEUX, annoncer, memoriser, observer, personne, proposer

pytestmark = pytest.mark.django_db(transaction=True)
Acte = Callable[[], Any]
TOUT = {"tout": True}
PREFERENCE = {"categorie": "preference"}


@pytest.fixture
def banc(transactional_db: None) -> Banc:
    oublier_les_plafonds()
    configurer_salon()
    return creer_banc()


@pytest.fixture
def dit(banc: Banc) -> Any:
    def dire(texte: str = "un thé et ça repart", **champs: Any) -> str:
        resultat = banc.un(message(texte, **champs))
        assert resultat["statut"] == "memorise", resultat
        return str(resultat["id"])

    return dire


def autre(banc: Banc) -> Banc:
    """Le même bot, sur une autre connexion."""
    return Banc(banc.cle, banc.bot)


def attendent(nombre: int) -> bool:
    """Vrai si tant de connexions de cette base attendent un verrou."""
    with connection.cursor() as curseur:
        curseur.execute(
            """SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted AND pid IN (
                 SELECT pid FROM pg_locks JOIN pg_database d ON d.oid = database AND datname = current_database())"""
        )
        return bool(curseur.fetchone()[0] >= nombre)


@contextmanager
def dans_l_ordre(table: str, condition: str, *actes: Acte) -> Iterator[list[Any]]:
    """Tient les lignes visées, fait buter chaque acte dessus l'un après l'autre, puis les rend : ils passent dans cet
    ordre. Rend leurs résultats en sortie de bloc."""
    rendus: list[Any] = [None] * len(actes)

    def mener(rang: int, acte: Acte) -> None:
        try:
            rendus[rang] = acte()
        except BaseException as erreur:  # noqa: BLE001 — rapportée à l'essai
            rendus[rang] = erreur
        finally:
            connection.close()

    fils = [threading.Thread(target=mener, args=(rang, acte)) for rang, acte in enumerate(actes)]
    with transaction.atomic():
        with connection.cursor() as curseur:
            curseur.execute(f"SELECT 1 FROM {table} WHERE {condition} FOR UPDATE")
        for rang, fil in enumerate(fils):
            fil.start()
            assert attendre(lambda nombre=rang + 1: attendent(nombre), 10), f"l'acte {rang} n'a pas attendu"  # type: ignore[misc]
    for fil in fils:
        fil.join(30)
    assert not [r for r in rendus if isinstance(r, BaseException)], rendus
    yield rendus


def revendique(*lier: tuple[str, str]) -> Any:
    return revendiquer(
        plateforme="twitch", externe_id=ADA, motif="essai", par=EXPLOITATION, maintenant=now(), lier=list(lier)
    )


def confirmer(banc: Banc, cible: dict[str, Any]) -> Acte:
    jeton = annoncer(banc, cible).json()["jeton"]
    return lambda: autre(banc).poster("oublis/confirmation/", {"jeton": jeton}).status_code


# --- Ce qui écrit : prépare, puis rend l'acte qui voudrait écrire.


def demande(banc: Banc, dit: Any) -> Acte:
    return lambda: memoriser(autre(banc), "adore le thé").status_code


def proposition(banc: Banc, dit: Any) -> Acte:
    source = dit()
    return lambda: proposer(autre(banc), "adore le thé", [source]).status_code


def vigilance(banc: Banc, dit: Any) -> Acte:
    source = dit()
    return lambda: proposer(autre(banc), DOUTEUX, [source]).status_code


def validation(banc: Banc, dit: Any) -> Acte:
    jeton = memoriser(banc, DOUTEUX).json()["jeton"]
    corps = {"personne": personne(), "jeton": jeton, "accepte": True}
    return lambda: autre(banc).poster("validations/", corps).status_code


def observation(banc: Banc, dit: Any) -> Acte:
    source = dit()
    proposer(banc, "adore le café", [source], fiabilite=60)
    champs: dict[str, Any] = {"fiabilite": 100, "contenu": "adore le thé", "espace": SALON}
    return lambda: observer(autre(banc), "contradiction", f"o{source}", **champs).status_code


def correction(banc: Banc, dit: Any) -> Acte:
    memoriser(banc, "adore le café")
    corps = {"personne": personne(), "categorie": "preference", "contenu": "adore le thé"}
    return lambda: autre(banc).poster("corrections/", corps).status_code


def hypothese(banc: Banc, dit: Any) -> Acte:
    corps = {"personne": personne(), "texte": "a l’air d’humeur joueuse", "espace": SALON, "sources": [dit()]}
    return lambda: autre(banc).poster("hypotheses/", corps).status_code


def ingestion(banc: Banc, dit: Any) -> Acte:
    ancien = message("je traînais en route")
    return lambda: 200 if autre(banc).un(ancien)["statut"] in {"memorise", "exclu"} else 500


ECRIVAINS = (demande, proposition, vigilance, validation, observation, correction, hypothese, ingestion)
COURTS = (hypothese, ingestion)
"""Un oubli de catégorie ne touche pas ce qu'ils écrivent."""


def restes() -> list[str]:
    """Ce qui reste d'écrit de la Personne, tout genre confondu."""
    vivantes = Interaction.objects.filter(etat="vivante")
    modeles = (Souvenir.objects.all(), Proposition.objects.all(), Hypothese.objects.all(), vivantes)
    return [f"{ligne._meta.label} {ligne.pk}" for lignes in modeles for ligne in lignes]


@pytest.mark.exigence("DR-02", "DR-03", "SR-10")
@pytest.mark.parametrize("oubli_d_abord", [True, False], ids=["oubli puis écriture", "écriture puis oubli"])
@pytest.mark.parametrize("cible", [TOUT, PREFERENCE], ids=["tout", "catégorie"])
@pytest.mark.parametrize("ecrivain", ECRIVAINS)
def test_ce_qui_etait_en_route_ne_survit_pas_a_l_oubli(
    banc: Banc, dit: Any, ecrivain: Any, cible: dict[str, Any], oubli_d_abord: bool
) -> None:
    if cible is PREFERENCE and ecrivain in COURTS:
        pytest.skip("un oubli de catégorie ne touche pas la mémoire courte")
    revendique()
    dit("bonsoir")
    ecrire, oublier = ecrivain(banc, dit), confirmer(banc, cible)
    actes = (oublier, ecrire) if oubli_d_abord else (ecrire, oublier)
    with dans_l_ordre("horizon_compte", f"externe_id = '{ADA}'", *actes) as rendus:
        statut_oubli, statut_ecriture = rendus if oubli_d_abord else reversed(rendus)
    assert statut_oubli == 200
    assert statut_ecriture < 500
    ecrits = restes()
    if cible is PREFERENCE:
        ecrits = [e for e in ecrits if "Interaction" not in e]
    assert ecrits == []


@pytest.mark.exigence("DR-03", "SR-10")
def test_deux_cents_entrelacements_au_hasard(banc: Banc, dit: Any) -> None:
    revendique()
    hasard = random.Random(11)
    for tour in range(200):
        ecrivain = ECRIVAINS[tour % len(ECRIVAINS)]
        ecrire, oublier = ecrivain(banc, dit), confirmer(banc, TOUT)
        delais = [hasard.uniform(0, 0.015), hasard.uniform(0, 0.015)]

        def apres(delai: float, acte: Acte) -> Acte:
            def attendre_puis_agir() -> Any:
                time.sleep(delai)
                return acte()

            return attendre_puis_agir

        statuts = ensemble(apres(delais[0], ecrire), apres(delais[1], oublier))
        assert statuts[1] == 200
        assert statuts[0] < 500
        le = Oubli.objects.order_by("-le").first()
        assert le is not None
        # Une demande arrivée après l'oubli est une demande neuve ; elle seule peut rester.
        neufs = Souvenir.objects.filter(enregistre_le__gt=le.le, origine="demande") if ecrivain is demande else None
        ecrits = [e for e in restes() if neufs is None or "Souvenir" not in e]
        assert ecrits == [], (tour, ecrivain.__name__)
        assert neufs is None or neufs.count() == Souvenir.objects.count()
        Souvenir.objects.all().delete()
    assert {c.acte for c in registre.lire()} == set(Oubli.objects.values_list("acte", flat=True))


@pytest.mark.exigence("LT-01", "LT-03")
def test_vingt_quatre_ecrivains_laissent_un_seul_souvenir(banc: Banc, dit: Any) -> None:
    revendique()
    source = dit()
    demandes = [lambda n=n: memoriser(autre(banc), f"adore le thé numéro {n}").status_code for n in range(16)]
    propositions = [
        lambda n=n: proposer(autre(banc), f"adore le café numéro {n}", [source]).status_code for n in range(8)
    ]
    statuts = ensemble(*demandes, *propositions)
    assert set(statuts[:16]) == {201}
    assert set(statuts[16:]) <= {200, 201}
    assert Souvenir.objects.get().contenu.startswith("adore le thé")


@pytest.mark.exigence("CT-16", "LT-08")
@pytest.mark.parametrize("suppression_d_abord", [True, False])
@pytest.mark.parametrize("douteux", [True, False])
def test_suppression_contre_proposition_fondee_sur_elle(
    banc: Banc, dit: Any, suppression_d_abord: bool, douteux: bool
) -> None:
    revendique()
    source = dit()
    texte = DOUTEUX if douteux else "adore le thé"
    supprimer = {"type": "suppression", "plateforme": "twitch", "ids": [source]}
    actes: list[Acte] = [
        lambda: autre(banc).un(supprimer)["statut"],
        lambda: proposer(autre(banc), texte, [source]).status_code,
    ]
    with dans_l_ordre("memoire_interaction", "TRUE", *(actes if suppression_d_abord else actes[::-1])) as rendus:
        assert set(rendus) == {"supprime", 422 if suppression_d_abord else 202 if douteux else 201}
    assert not Proposition.objects.exists()
    souvenir = Souvenir.objects.first()
    assert (souvenir is None) == (suppression_d_abord or douteux)
    if souvenir is not None:
        assert (souvenir.sources, souvenir.contradictions) == (0, 1)


@pytest.mark.exigence("DR-02")
def test_deux_confirmations_du_meme_jeton_n_ont_qu_un_effet(banc: Banc, dit: Any) -> None:
    revendique()
    confirme = confirmer(banc, TOUT)
    assert sorted(ensemble(*[confirme] * 6)) == [200, *[410] * 5]
    assert Trace.objects.filter(action="oubli").count() == 1
    assert len(registre.lire()) == Oubli.objects.count() == 1


@pytest.mark.exigence("SE-03")
def test_deux_validations_du_meme_jeton_n_ont_qu_un_effet(banc: Banc, dit: Any) -> None:
    revendique()
    assert sorted(ensemble(*[validation(banc, dit)] * 6)) == [201, *[410] * 5]
    assert Trace.objects.filter(action="souvenir_ecrit").count() == 1


@pytest.mark.exigence("SE-12")
def test_deux_decisions_sur_la_meme_vigilance(banc: Banc, dit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from horizon.noyau.sensibilite import Avis, Verdict
    from horizon.services.erreurs import Refus

    avis = Avis(Verdict.VIGILANCE, "medical", "modele", soupcon_de_refus=True)
    monkeypatch.setattr("memoire.services.souvenirs.examiner", lambda *_, **__: avis)
    revendique()
    memoriser(banc, "adore le thé")
    pk = Proposition.objects.get().pk

    def trancher() -> int:
        try:
            validations.trancher(pk, True, par=EXPLOITATION, maintenant=now())
        except Refus as refus:
            return refus.statut
        return 201

    assert sorted(ensemble(*[trancher] * 4)) == [201, 410, 410, 410]


@pytest.mark.exigence("DR-02", "DR-04", "ID-11")
@pytest.mark.parametrize("liaison_d_abord", [True, False])
def test_une_liaison_pendant_un_oubli(banc: Banc, dit: Any, liaison_d_abord: bool) -> None:
    """Ce que l'oubli efface, ce qu'il dit aux bots et ce qu'il inscrit couvrent les mêmes comptes."""
    revendique()
    dit("ici Ada")
    dit("ici son autre compte", auteur={"id": "99", "pseudonyme": "Ada bis"})
    actes: list[Acte] = [lambda: revendique(("twitch", "99")).pk, confirmer(banc, TOUT)]
    with dans_l_ordre("horizon_compte", "TRUE", *(actes if liaison_d_abord else actes[::-1])) as rendus:
        assert 200 in rendus
    attendus = {("twitch", ADA), ("twitch", "99")} if liaison_d_abord else {("twitch", ADA)}
    assert set(Oubli.objects.values_list("plateforme", "externe_id")) == attendus
    assert set(registre.lire()[0].comptes) == attendus
    vivants = set(Interaction.objects.filter(etat="vivante").values_list("compte__externe_id", flat=True))
    assert vivants == {"99", ADA} - {externe for _, externe in attendus}
    assert len({*Compte.objects.values_list("identite_id", flat=True)}) == 1


@pytest.mark.exigence("SR-10", "CT-16")
def test_un_accord_croise_par_une_suppression_repasse(banc: Banc, dit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """L'accord tient la proposition et veut le message ; la suppression tient le message et veut la proposition."""
    revendique()
    source = dit()
    jeton = memoriser(banc, DOUTEUX, sources=[source]).json()["jeton"]
    vrai, tours = validations.instruire, list[int]()

    def instruire(*arguments: Any, **options: Any) -> Any:
        tours.append(1)
        if len(tours) == 1:
            assert attendre(lambda: attendent(1), 10)
        return vrai(*arguments, **options)

    monkeypatch.setattr(validations, "instruire", instruire)
    supprimer = {"type": "suppression", "plateforme": "twitch", "ids": [source]}

    def effacer() -> Any:
        assert attendre(lambda: bool(tours), 10)
        return autre(banc).un(supprimer)["statut"]

    corps = {"personne": personne(), "jeton": jeton, "accepte": True}
    statut, suppression = ensemble(lambda: autre(banc).poster("validations/", corps).status_code, effacer)
    assert suppression == "supprime"
    assert statut in {201, 410, 422}
    souvenir = Souvenir.objects.first()
    assert souvenir is None or (souvenir.sources == 0 and souvenir.contradictions == 1)


@pytest.mark.exigence("SR-10", "DR-03")
def test_oublis_contre_lots_croises(banc: Banc) -> None:
    gens = [f"p{n}" for n in range(12)]
    for qui in gens:
        revendiquer(plateforme="twitch", externe_id=qui, motif="essai", par=EXPLOITATION, maintenant=now())
    hasard = random.Random(3)
    lot = [message(f"l{n}", auteur={"id": qui, "pseudonyme": qui}) for n, qui in enumerate(gens * 4)]
    melanges = [hasard.sample(lot, len(lot)) for _ in range(5)]
    envois = [lambda m=melange: autre(banc).envoyer(*m) for melange in melanges]
    jetons = [annoncer(banc, TOUT, personne(qui)).json()["jeton"] for qui in gens]
    oublis = [lambda j=j: autre(banc).poster("oublis/confirmation/", {"jeton": j}).status_code for j in jetons]
    rendus = ensemble(*oublis, *envois)
    assert set(rendus[: len(gens)]) == {200}
    assert not Interaction.objects.filter(etat="vivante").exists()
    assert Oubli.objects.count() == len(gens)


@pytest.mark.exigence("DR-11")
def test_une_liste_lue_pendant_un_oubli_ne_le_saute_pas(banc: Banc, dit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Le premier oubli est daté puis tarde à se valider ; un second, plus récent, l'est avant lui."""
    from horizon.services import oublis

    revendique()
    revendiquer(plateforme="twitch", externe_id="88", motif="essai", par=EXPLOITATION, maintenant=now())
    lent, fini = threading.Event(), threading.Event()
    vrai = oublis._inscrire

    def inscrire(cible: Any) -> None:
        if ("twitch", ADA) in cible.comptes:
            lent.set()
            fini.wait(10)
        vrai(cible)

    monkeypatch.setattr(oublis, "_inscrire", inscrire)
    premier = confirmer(banc, TOUT)
    jeton = annoncer(banc, TOUT, personne("88")).json()["jeton"]

    def lire(depuis: str) -> Any:
        adresse = f"/api/v1/oublis/?depuis={depuis}"
        return autre(banc).client.get(adresse, headers={"Authorization": f"Bearer {banc.cle}"}).json()

    def second() -> list[str]:
        lent.wait(10)
        assert autre(banc).poster("oublis/confirmation/", {"jeton": jeton}).status_code == 200
        threading.Timer(0.3, fini.set).start()
        vus = lire("")
        suite = lire(vus["suivant"])
        return sorted(o["personne"] for o in vus["oublis"] + suite["oublis"])

    assert ensemble(premier, second)[1] == [ADA, "88"]


@pytest.mark.exigence("DR-03", "DR-10")
def test_le_premier_message_d_un_inconnu_attend_son_oubli(banc: Banc) -> None:
    """Oublié avant d'être connu (ou perdu par une restauration), un compte n'accueille pas ce qu'il avait dit avant."""
    avant = il_y_a(seconds=30)
    assert confirmer(banc, TOUT)() == 200
    assert not Compte.objects.exists()
    assert banc.un(message("je traînais", emis_le=avant))["motif"] == "supprime_avant"
    assert banc.un(message("me voici"))["statut"] == "memorise"
