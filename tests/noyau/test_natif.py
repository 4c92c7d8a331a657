"""Traduire une charge native : jamais d'autre issue qu'une traduction ou une faute de lecture."""

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horizon.noyau.natif import ChargeFautive, Etiquette, Traduction, discord, twitch

CHARGES = sorted((Path(__file__).parent.parent / "charges" / "natives").glob("[td]*.json"))
FAUTES = (msgspec.DecodeError, ValueError, RecursionError, ChargeFautive)
_valeurs = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=4), v, max_size=3),
    max_leaves=4,
)


def traduire(plateforme: str, corps: Any) -> Traduction | None:
    octets = json.dumps(corps, ensure_ascii=False).encode("utf-8", "surrogatepass")
    try:
        if plateforme == "d":
            return discord.traduire(octets, Etiquette("conversation", "7"))
        return twitch.traduire(twitch.lire(octets), Etiquette("conversation", "7"))
    except FAUTES:
        return None


def alterer(corps: Any, valeur: Any, hasard: random.Random) -> Any:
    """La charge dont une feuille ou une branche, tirée au sort, est remplacée."""
    if not isinstance(corps, dict | list) or not corps or hasard.random() < 0.15:
        return valeur
    cle = hasard.choice(list(corps) if isinstance(corps, dict) else range(len(corps)))
    corps[cle] = alterer(corps[cle], valeur, hasard)
    return corps


@pytest.mark.exigence("SR-08")
@given(chemin=st.sampled_from(CHARGES), valeur=_valeurs, hasard=st.randoms(use_true_random=False))
def test_une_charge_alteree_se_traduit_ou_se_refuse(chemin: Path, valeur: Any, hasard: random.Random) -> None:
    corps = json.loads(chemin.read_text(encoding="utf-8"))
    for un in corps if isinstance(corps, list) else [corps]:
        traduire(chemin.name[0], alterer(un, valeur, hasard))


@pytest.mark.exigence("CT-03")
@given(st.integers().filter(lambda n: n not in (0, 19)))
def test_seuls_deux_types_de_message_sont_des_paroles(type_: int) -> None:
    corps = json.loads((CHARGES[0].parent / "d01_message.json").read_text(encoding="utf-8"))
    corps["d"]["type"] = type_
    traduction = traduire("d", corps)
    assert traduction is None or all(type(e).__name__ == "Exclusion" for e in traduction.evenements)


def test_la_fin_d_un_direct_porte_le_meme_nom_a_chaque_annonce() -> None:
    corps = json.loads((CHARGES[0].parent / "t16_direct_fin.json").read_text(encoding="utf-8"))
    premiere = traduire("t", corps)
    corps["metadata"] |= {"message_id": "autre", "message_timestamp": "2026-05-02T22:44:00+02:00"}
    assert premiere == traduire("t", corps)
    debut = traduire("t", json.loads((CHARGES[0].parent / "t15_direct_debut.json").read_text(encoding="utf-8")))
    assert premiere is not None
    assert debut is not None
    assert (premiere.evenements[0].id, debut.evenements[0].id) == ("fin-20260502T204400Z", "7005001")  # type: ignore[union-attr]
