"""Les fils suivent leur salon, le plus strict des deux ; un fil ou un salon supprimé emporte ce qui y fut dit."""

from typing import Any

import pytest
import time_machine
from django.utils.timezone import now

from horizon.models import Espace
from horizon.noyau.decision import EXPLOITATION
from horizon.services import espaces
from memoire.models import Interaction
from memoire.selectors.espaces import par_plateforme
from tests.api.natives import SALON, SOIR, charge, relayer, resultats
from tests.fabriques import Banc, configurer_salon, creer_banc

FIL = charge("x01_fil_cree")["d"]["id"]
QUI = "2200000000000000011"


@pytest.fixture
def banc(db: None) -> Any:
    with time_machine.travel(SOIR, tick=False):
        configurer_salon(SALON, "discord")
        yield creer_banc()


def dire(banc: Banc, ident: str = "1", lieu: str = FIL, **champs: Any) -> str:
    """Un message dit dans un lieu ; rend son motif, ou son statut."""
    corps = charge("d01_message")
    corps["d"] |= {"id": ident, "channel_id": lieu, "channel_type": 11} | champs
    recu = resultats(banc, "evenements/discord/", corps)[0]
    return recu["motif"] or recu["statut"]


def annoncer(banc: Banc, t: str, **d: Any) -> list[dict[str, Any]]:
    return resultats(banc, "evenements/discord/", {"t": t, "s": 1, "d": d})


@pytest.mark.exigence("CT-15")
def test_un_fil_public_inconnu_attend_d_etre_rattache(banc: Banc) -> None:
    assert dire(banc) == "espace_non_configure"
    assert relayer(banc, "x01_fil_cree")[0]["statut"] == "ignore"
    assert dire(banc) == "memorise"
    assert banc.dits(QUI, {"id": FIL, "visibilite": "public"}, plateforme="discord")
    # Né dans le fil, il ne paraît pas dans le salon.
    assert banc.dits(QUI, {"id": SALON, "visibilite": "public"}, plateforme="discord") == []


@pytest.mark.exigence("CT-15")
@pytest.mark.parametrize(
    ("t", "d"),
    [
        ("THREAD_UPDATE", {"id": FIL, "parent_id": SALON, "type": 11}),
        ("THREAD_LIST_SYNC", {"guild_id": "1", "threads": [{"id": FIL, "parent_id": SALON, "type": 11}]}),
        ("GUILD_CREATE", {"id": "1", "threads": [{"id": FIL, "parent_id": SALON, "type": 11}], "members": []}),
        ("MESSAGE_UPDATE", {"id": FIL, "channel_id": SALON, "flags": 32, "thread": {"id": FIL, "type": 11}}),
    ],
)
def test_les_evenements_qui_font_connaitre_un_fil(banc: Banc, t: str, d: dict[str, Any]) -> None:
    annoncer(banc, t, **d)
    assert dire(banc) == "memorise"


@pytest.mark.exigence("CT-15")
def test_annonce_de_fil_dans_le_salon(banc: Banc) -> None:
    annonce = {"type": 18, "content": "titre", "channel_type": 0, "message_reference": {"channel_id": FIL}}
    assert dire(banc, "7", SALON, **annonce) == "systeme"
    assert dire(banc) == "memorise"


@pytest.mark.exigence("CT-15", "CT-19")
def test_fil_prive_meme_quand_le_message_ne_le_dit_pas(banc: Banc) -> None:
    annoncer(banc, "THREAD_CREATE", id=FIL, parent_id=SALON, type=12)
    assert dire(banc, channel_type=None) == "fil_prive"
    # Un fil privé ne redevient pas public.
    annoncer(banc, "THREAD_UPDATE", id=FIL, parent_id=SALON, type=11)
    assert dire(banc) == "fil_prive"
    assert not Interaction.objects.filter(etat="vivante").exists()


@pytest.mark.exigence("CT-19", "ID-09")
def test_le_fil_suit_son_salon(banc: Banc) -> None:
    relayer(banc, "x01_fil_cree")
    assert dire(banc) == "memorise"
    salon = Espace.objects.get(externe_id=SALON)
    espaces.fermer(espace_id=salon.pk, par=EXPLOITATION, maintenant=now())
    assert dire(banc, "2") == "espace_ferme"
    espaces.rouvrir(espace_id=salon.pk, par=EXPLOITATION, maintenant=now())
    configurer_salon(SALON, "discord", "prive")
    assert dire(banc, "3") == "prive_sans_poubelle"
    assert banc.dits(QUI, {"id": FIL, "visibilite": "public"}, plateforme="discord") == []
    configurer_salon(SALON, "discord", "public")
    assert len(banc.dits(QUI, {"id": FIL, "visibilite": "public"}, plateforme="discord")) == 1
    espaces.retirer(plateforme="discord", externe_id=SALON, par=EXPLOITATION, maintenant=now())
    assert dire(banc, "4") == "espace_non_configure"
    # Configuré pour lui-même, un fil ne dépend plus que de la visibilité et de la fermeture de son salon.
    configurer_salon(FIL, "discord")
    assert dire(banc, "5") == "memorise"


@pytest.mark.exigence("CT-06")
def test_fil_supprime_emporte_ses_messages_et_pas_celui_d_ou_il_part(banc: Banc) -> None:
    assert dire(banc, FIL, SALON, channel_type=0) == "memorise"
    relayer(banc, "x01_fil_cree")
    dire(banc)
    recu = annoncer(banc, "THREAD_DELETE", id=FIL, parent_id=SALON, type=11)
    assert [(r["statut"], r["nombre"]) for r in recu] == [("supprime", 1)]
    assert Interaction.objects.get(etat="vivante").message_id == FIL
    assert dire(banc, "2") == "supprime_avant"


@pytest.mark.exigence("CT-06")
def test_salon_supprime_emporte_ses_fils(banc: Banc) -> None:
    relayer(banc, "x01_fil_cree")
    dire(banc)
    dire(banc, "2", SALON, channel_type=0)
    recu = relayer(banc, "x02_salon_supprime")
    assert [(r["statut"], r["nombre"]) for r in recu] == [("supprime", 2)]
    assert not Interaction.objects.filter(etat="vivante").exists()
    assert (dire(banc, "3"), dire(banc, "4", SALON)) == ("supprime_avant", "supprime_avant")
    # Le parent d'un salon est sa catégorie : elle n'en fait pas un fil.
    assert Espace.objects.get(externe_id=SALON).parent_externe == ""


@pytest.mark.exigence("CT-02")
def test_un_echange_prive_ne_devient_jamais_un_fil(banc: Banc) -> None:
    avis = relayer(banc, "d15_prive")[0]["avis"]
    banc.poster("avis/remise/", {"jeton": avis["jeton"]})
    relayer(banc, "d15_prive")
    lieu = charge("d15_prive")["d"]["channel_id"]
    annoncer(banc, "THREAD_CREATE", id=lieu, parent_id=SALON, type=11)
    espace = Espace.objects.get(externe_id=lieu)
    assert (espace.visibilite, espace.parent_externe) == ("prive", "")


def test_les_fils_n_encombrent_pas_la_page_des_espaces(banc: Banc) -> None:
    relayer(banc, "x01_fil_cree")
    annoncer(banc, "THREAD_CREATE", id="778", parent_id=SALON, type=12)
    discord = next(p for p in par_plateforme(depuis=now()) if p.plateforme == "discord")
    assert [ligne.espace.externe_id for ligne in discord.lignes] == [SALON]
    assert discord.prives == 0
