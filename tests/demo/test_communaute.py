"""Le fichier de la communauté : complet, cohérent, et sans rien qui puisse passer pour un vrai compte."""

import itertools
from datetime import timedelta

from django.utils.timezone import now

from horizon.demo.communaute import Communaute, lire
from horizon.demo.etapes import Echange, Envoi, Montage, ids_par_plateforme
from horizon.noyau.motifs import EXCLUSIONS
from horizon.noyau.sensibilite import Verdict, examiner


def _envois(communaute: Communaute) -> list[Envoi]:
    etapes = Montage(communaute, "demo-essai", now()).etapes()
    return [
        e for etape in etapes for e in (etape.envois if isinstance(etape, Echange) else [etape]) if isinstance(e, Envoi)
    ]


def test_une_communaute_a_la_bonne_taille() -> None:
    communaute = lire()
    repliques = [r for c in communaute.conversations for r in c.repliques]
    assert 30 <= len(communaute.personnes) <= 45
    assert 4 <= sum(len(p.plateformes) == 2 for p in communaute.personnes.values()) <= 6
    assert 250 <= len(repliques) <= 400
    assert sum(r.de == "poubelle" for r in repliques) >= 40


def test_chaque_replique_designe_des_gens_et_des_lieux_connus() -> None:
    communaute = lire()
    for conversation in communaute.conversations:
        espace = communaute.espaces[conversation.espace]
        for numero, replique in enumerate(conversation.repliques):
            assert communaute.acteur(replique.de).pseudonyme(espace.plateforme, 0), (conversation.espace, replique.de)
            assert replique.a is None or 1 <= replique.a <= numero, replique.dit
            assert replique.exclu in {"", *EXCLUSIONS}
            if espace.prive:
                assert replique.de in espace.participants


def test_poubelle_repond_toujours_a_une_personne() -> None:
    communaute = lire()
    personnes = {communaute.id_de(cle) for cle in communaute.personnes}
    reponses = [e.evenement for e in _envois(communaute) if e.evenement.get("auteur", {}).get("id") == "demo-poubelle"]
    assert {r["interlocuteur"]["id"] for r in reponses} <= personnes
    assert all(r["reponse_a"] for r in reponses)


def test_tout_tient_dans_les_dernieres_vingt_trois_heures() -> None:
    maintenant = now()
    for envoi in Montage(lire(), "demo-essai", maintenant).etapes():
        assert maintenant - timedelta(hours=23) <= envoi.quand <= maintenant


def test_le_direct_est_plus_dense_que_le_reste() -> None:
    communaute = lire()
    en_direct = [e for e in _envois(communaute) if "contexte" in e.evenement]
    duree = en_direct[-1].quand - en_direct[0].quand
    assert len(en_direct) > 100
    assert duree < timedelta(hours=2)


def test_identifiants_uniques_et_jamais_ceux_d_un_vrai_compte() -> None:
    communaute = lire()
    ids = list(itertools.chain.from_iterable(ids_par_plateforme(communaute, "demo-essai").values()))
    envoyes = [e.evenement["id"] for e in _envois(communaute) if e.evenement["type"] == "message"]
    assert len(set(ids)) == len(ids)
    assert set(ids) == set(envoyes)
    reels = [
        cle for cle in (*communaute.personnes, *communaute.automates) if not communaute.id_de(cle).startswith("demo-")
    ]
    assert reels == ["donateur"], "seul le compte fictif que la plateforme partage garde son identifiant"


def test_le_garde_admet_ce_que_la_demonstration_fait_retenir() -> None:
    communaute = lire()
    for retenu in communaute.souvenirs:
        assert communaute.personnes[retenu.personne].revendiquee
        assert examiner(retenu.contenu, origine="demande").decision is Verdict.ADMIS, retenu.contenu
