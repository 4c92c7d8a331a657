"""Rien ne dure plus que promis : invisible à l'instant dit, effacé ensuite, jamais prolongé."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import DatabaseError
from django.utils.timezone import now

from horizon.models import Utilisateur
from horizon.services import purge
from horizon.services.erreurs import Conflit, Refus
from horizon.services.parametres import apercevoir, changer
from memoire.models import Interaction
from memoire.parametres import DUREE_COURTE
from tests.fabriques import PRIVE, Banc, il_y_a, iso, message

MIDI = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def chloe(db: None) -> Utilisateur:
    return Utilisateur.objects.create(nom="chloe", role="sa")


def regler(heures: int, chloe: Utilisateur, version: int) -> None:
    changer(DUREE_COURTE, heures, version=version, par=chloe, maintenant=now())


@pytest.mark.exigence("CT-04")
def test_expiration_comptee_depuis_l_emission_et_annoncee(banc: Banc) -> None:
    with time_machine.travel(MIDI, tick=False):
        resultat = banc.un(message("fouine", emis_le=iso(MIDI - timedelta(hours=3))))
    assert resultat["expire_le"] == "2026-12-01T09:00:00Z"


@pytest.mark.exigence("CT-04", "NO-05")
def test_invisible_a_l_instant_dit_sans_aucun_traitement(banc: Banc) -> None:
    with time_machine.travel(MIDI, tick=False) as horloge:
        banc.un(message("fouine", emis_le=iso(MIDI - timedelta(hours=24) + timedelta(seconds=10))))
        horloge.shift(timedelta(seconds=9, milliseconds=999))
        assert banc.dits() == ["fouine"]
        horloge.shift(timedelta(milliseconds=1))
        assert banc.dits() == []
        assert Interaction.objects.count() == 1
        assert purge.passer(maintenant=now(), par="commande") == 1
        assert not Interaction.objects.exists()


@pytest.mark.exigence("CT-04")
def test_arrivees_trop_tard_et_trop_tot(banc: Banc) -> None:
    with time_machine.travel(MIDI, tick=False):
        assert banc.un(message(emis_le=iso(MIDI - timedelta(hours=25))))["motif"] == "expire"
        assert banc.un(message(emis_le=iso(MIDI - timedelta(hours=24))))["motif"] == "expire"
        assert banc.un(message(emis_le=iso(MIDI + timedelta(hours=3))))["motif"] == "futur"
        tolere = banc.un(message(emis_le=iso(MIDI + timedelta(minutes=4))))
    assert tolere["expire_le"] == "2026-12-01T12:00:00Z"


@pytest.mark.exigence("CT-05")
def test_reduire_s_applique_au_contenu_deja_recu(banc: Banc, chloe: Utilisateur) -> None:
    banc.envoyer(message("vieux", emis_le=il_y_a(hours=3)), message("jeune", emis_le=il_y_a(minutes=5)))
    assert apercevoir(DUREE_COURTE, 2, maintenant=now()) == ["1 message déjà gardé serait effacé tout de suite."]
    regler(2, chloe, 0)
    assert banc.dits() == ["jeune"]
    regler(24, chloe, 1)
    assert banc.dits() == ["jeune"]
    assert Interaction.objects.get(contenu="jeune").expire_a < now() + timedelta(hours=2)


@pytest.mark.exigence("CT-05", "CT-14")
def test_reduire_n_allonge_pas_une_reponse_au_dela_de_sa_question(banc: Banc, chloe: Utilisateur) -> None:
    from tests.fabriques import reponse

    banc.envoyer(
        message("q", id="q", emis_le=il_y_a(minutes=50)), reponse("r", "q", id="r", emis_le=il_y_a(minutes=10))
    )
    regler(1, chloe, 0)
    assert len(set(Interaction.objects.values_list("expire_a", flat=True))) == 1


@pytest.mark.exigence("CT-05")
def test_rallonger_ne_prolonge_pas_un_message_renvoye(banc: Banc, chloe: Utilisateur) -> None:
    with time_machine.travel(MIDI, tick=False) as horloge:
        regler(1, chloe, 0)
        horloge.shift(timedelta(minutes=1))
        envoye = message("court", id="m1", emis_le=iso(now()))
        assert banc.un(envoye)["expire_le"] == "2026-11-30T13:01:00Z"
        horloge.shift(timedelta(hours=1))
        purge.passer(maintenant=now(), par="commande")
        regler(24, chloe, 1)
        horloge.shift(timedelta(minutes=1))
        assert banc.un(envoye)["motif"] == "expire"
        neuf = message("neuf", emis_le=iso(now()))
        assert banc.un(neuf)["expire_le"] == "2026-12-01T13:02:00Z"


@pytest.mark.exigence("CT-05", "CT-09")
def test_rallonger_en_prive_exige_un_nouvel_avis(banc: Banc, chloe: Utilisateur) -> None:
    regler(2, chloe, 0)
    banc.remettre_avis()
    assert banc.un(message("entre nous", espace=PRIVE))["statut"] == "memorise"
    regler(12, chloe, 1)
    resultat = banc.un(message("encore", espace=PRIVE))
    assert (resultat["motif"], resultat["avis"]["duree"]) == ("avis_requis", "PT12H")
    regler(1, chloe, 2)
    assert banc.un(message("moins longtemps", espace=PRIVE))["statut"] == "memorise"


@pytest.mark.exigence("CT-04")
def test_bornes_et_conflit_de_version(chloe: Utilisateur) -> None:
    for hors in (0, 25):
        with pytest.raises(Refus, match="hors_bornes"):
            regler(hors, chloe, 0)
    regler(12, chloe, 0)
    with pytest.raises(Conflit):
        regler(6, chloe, 0)


@pytest.mark.exigence("CT-11", "NO-05")
def test_aucune_archive_apres_expiration(banc: Banc) -> None:
    from tests.fouille import tout_le_texte

    banc.un(message("canari-genette", auteur={"id": "77", "pseudonyme": "Ada"}))
    assert "canari-genette" in tout_le_texte()
    purge.passer(maintenant=now() + timedelta(hours=24, seconds=1), par="commande")
    assert "canari-genette" not in tout_le_texte()


@pytest.mark.exigence("CT-04")
def test_une_ligne_qui_refuse_de_partir_n_arrete_pas_la_passe(banc: Banc) -> None:
    from django.db import connection

    banc.envoyer(*[message(f"m{n}", id=f"x{n}") for n in range(20)])
    with connection.cursor() as curseur:
        curseur.execute(
            """CREATE FUNCTION refuser() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                 IF OLD.message_id = 'x7' THEN RAISE EXCEPTION 'non'; END IF; RETURN OLD; END $$;
               CREATE TRIGGER refuser BEFORE DELETE ON memoire_interaction FOR EACH ROW EXECUTE FUNCTION refuser();"""
        )
    assert purge.passer(maintenant=now() + timedelta(hours=25), par="commande") == 19
    assert list(Interaction.objects.values_list("message_id", flat=True)) == ["x7"]
    with connection.cursor() as curseur:
        curseur.execute("DROP TRIGGER refuser ON memoire_interaction")
    assert purge.passer(maintenant=now() + timedelta(hours=25), par="commande") == 1


@pytest.mark.exigence("CT-04")
def test_une_erreur_passagere_n_arrete_pas_la_passe(banc: Banc, monkeypatch: pytest.MonkeyPatch) -> None:
    """Le premier lot échoue une fois ; ceux qui suivent partent quand même dans la même passe."""
    from memoire.services import expiration

    banc.envoyer(*[message(f"ligne {n}") for n in range(5)])
    vrai, essais = expiration._effacer_lot, iter([True])

    def capricieux(*arguments: Any) -> tuple[int, int]:
        if next(essais, False):
            raise DatabaseError
        return vrai(*arguments)

    monkeypatch.setattr(expiration, "LOT", 2)
    monkeypatch.setattr(expiration, "_effacer_lot", capricieux)
    with time_machine.travel(now() + timedelta(hours=25), tick=False):
        assert purge.passer(maintenant=now(), par="commande") == 5


@pytest.mark.exigence("CT-04", "CT-14")
def test_une_reponse_orpheline_qui_refuse_de_partir_n_arrete_pas_la_passe(banc: Banc) -> None:
    from django.db import connection

    from tests.fabriques import reponse

    banc.envoyer(message("q", id="q1"), reponse("r", "q1", id="r1"), message("vieux", emis_le=il_y_a(hours=23)))
    Interaction.objects.filter(message_id="q1").delete()
    with connection.cursor() as curseur:
        curseur.execute(
            """INSERT INTO memoire_interaction (plateforme, message_id, etat, recu_le, expire_a)
                 VALUES ('twitch', 'q1', 'supprimee', now(), now() + interval '24 hours');
               CREATE FUNCTION refuser() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'non'; END $$;
               CREATE TRIGGER refuser BEFORE UPDATE ON memoire_interaction FOR EACH ROW EXECUTE FUNCTION refuser();"""
        )
    assert banc.dits() == ["vieux"]
    assert purge.passer(maintenant=now() + timedelta(hours=2), par="commande") == 1
    with connection.cursor() as curseur:
        curseur.execute("DROP TRIGGER refuser ON memoire_interaction")
    purge.passer(maintenant=now() + timedelta(hours=2), par="commande")
    assert not Interaction.objects.filter(etat="vivante").exists()


@pytest.mark.exigence("CT-04")
def test_le_retard_se_voit_dans_sante(banc: Banc) -> None:
    chemin = "/api/v1/sante/"
    purge.passer(maintenant=now(), par="boucle")
    assert banc.client.get(chemin).status_code == 200
    with time_machine.travel(MIDI, tick=False) as horloge:
        banc.un(message("fouine", emis_le=iso(MIDI)))
        horloge.shift(timedelta(hours=24, seconds=60))
        assert banc.client.get(chemin).status_code == 200
        horloge.shift(timedelta(seconds=1))
        reponse = banc.client.get(chemin)
        assert (reponse.status_code, reponse.json()) == (503, {"etat": "panne"})
        detail = banc.client.get(chemin, headers={"Authorization": f"Bearer {banc.cle}"}).json()
        assert detail["retard_expiration_s"] == 61
        assert detail["points"]["expiration"]["niveau"] == "panne"
