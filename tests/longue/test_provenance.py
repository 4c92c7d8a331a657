"""« D'où le sais-tu ? » : la phrase et la date, dans les limites de ce qui peut se dire ici."""

from datetime import UTC, datetime
from typing import Any

import pytest

from memoire.models import Souvenir
from memoire.noyau.provenance import Provenance
from memoire.selectors.longue import provenance
from tests.fabriques import SALON, Banc
from tests.longue.gestes import ADORE, memoriser, proposer

NE = datetime(2026, 10, 31, 23, 30, tzinfo=UTC)


@pytest.mark.exigence("LT-11")
def test_chaque_souvenir_dit_d_ou_il_vient_et_de_quand(banc: Banc, ada: Any, dit: Any) -> None:
    memoriser(banc)
    proposer(banc, "adore les énigmes", [dit("une énigme ?")], "autre")
    memoriser(banc, "adore les puzzles", "taniere", espace=None)
    Souvenir.objects.update(enregistre_le=NE)

    def demander(categorie: str, plateforme: str = "twitch", *, en_public: bool = True) -> Provenance | None:
        return provenance(ada.pk, categorie, plateforme, en_public=en_public)

    demande, compris = "la Personne l’a demandé", "P.O.U.B.E.L.L.E. l’a compris de ce qui s’est dit"
    assert demander("preference") == Provenance(demande, "ici", "1er novembre 2026")
    assert demander("autre") == Provenance(compris, "ici", "1er novembre 2026")
    assert demander("taniere", en_public=False) == Provenance(demande, "prive", "novembre 2026")
    tus = (demander("taniere"), demander("preference", "discord"), demander("reussite"))
    assert tus == (None, None, None)
    Souvenir.objects.update(gele_le=NE)
    assert demander("preference") is None


@pytest.mark.exigence("ID-09")
def test_dans_un_espace_ferme_rien_ne_s_ecrit_mais_on_corrige(banc: Banc, ada: Any, dit: Any) -> None:
    from horizon.models import Espace

    memoriser(banc)
    source = dit("on joue ?")
    Espace.objects.filter(externe_id=SALON["id"]).update(ferme_le=NE)
    assert memoriser(banc, "adore les énigmes").json()["motif"] == "espace_ferme"
    assert proposer(banc, "adore les énigmes", [source], "autre").json()["motif"] == "espace_ferme"
    corps = {"personne": {"plateforme": "twitch", "id": "77"}, "sources": [source], "espace": SALON}
    supposee = banc.poster("hypotheses/", corps | {"texte": "a l’air d’humeur joueuse"})
    assert supposee.json()["motif"] == "espace_ferme"
    correction = {"personne": corps["personne"], "categorie": "preference", "contenu": "adore les énigmes"}
    assert banc.poster("corrections/", correction).status_code == 201
    assert Souvenir.objects.get().contenu != ADORE
