"""Ada (revendiquée sur Twitch et Discord), Bilal (revendiqué), un bot, le salon."""

from typing import Any

import pytest
from django.utils.timezone import now

from horizon.noyau.decision import EXPLOITATION
from horizon.services.identites import revendiquer
from tests.fabriques import ADA, BILAL, Banc, configurer_salon, creer_banc, message

ADA_DISCORD = "900"


@pytest.fixture
def banc(db: Any) -> Banc:
    configurer_salon()
    return creer_banc()


@pytest.fixture
def ada(banc: Banc) -> Any:
    return _revendiquer(ADA, [("discord", ADA_DISCORD)])


@pytest.fixture
def bilal(banc: Banc) -> Any:
    return _revendiquer(BILAL, [])


def _revendiquer(qui: str, lier: list[tuple[str, str]]) -> Any:
    return revendiquer(
        plateforme="twitch", externe_id=qui, motif="essai", par=EXPLOITATION, maintenant=now(), lier=lier
    )


@pytest.fixture
def dit(banc: Banc) -> Any:
    """Fait dire une phrase à Ada dans le salon et rend l'identifiant du message."""

    def dire(texte: str, **champs: Any) -> str:
        resultat = banc.un(message(texte, **champs))
        assert resultat["statut"] == "memorise", resultat
        return str(resultat["id"])

    return dire
