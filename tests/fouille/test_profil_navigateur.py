"""Le dossier d'un vrai navigateur, fouillé sur disque après une visite complète (SR-07, DR-09)."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from django.utils.timezone import now

from horizon.models import Bot, Espace
from horizon.noyau.decision import EXPLOITATION
from horizon.services import espaces
from tests.fabriques import configurer_salon, creer_banc, message
from tests.fouille import lieux
from tests.pages.conftest import creer_compte, prouver

MOT = "genettevairon6203"
PAGES = ["/", "/espaces/", "/espaces/configurer/?espace={espace}", "/bots/", "/bots/{bot}/revoquer/", "/parametres/",
         "/audit/", "/sante/", "/confidentialite/", "/admin/memoire/interaction/"]  # fmt: skip


@pytest.mark.lent
@pytest.mark.navigateur
@pytest.mark.django_db(transaction=True)
@pytest.mark.exigence("SR-07")
def test_rien_sur_le_disque_du_navigateur(
    browser_type: Any, browser_type_launch_args: dict[str, Any], live_server: Any, client: Any, transactional_db: None
) -> None:
    """Ce que les pages montrent (le nom d'un espace, d'un bot) ou gardent (un message) n'entre pas dans le profil :
    ni cache, ni stockage, ni historique, ni reprise de session."""
    configurer_salon()
    espaces.configurer(
        plateforme="discord", externe_id="42", nom=MOT, visibilite="public", par=EXPLOITATION, maintenant=now()
    )
    creer_banc(MOT).envoyer(message(MOT))
    objets = {"espace": Espace.objects.get(nom=MOT).pk, "bot": Bot.objects.get().pk}
    compte = creer_compte("sa")
    client.force_login(compte)
    prouver(client, compte)
    profil = Path(tempfile.mkdtemp(prefix="horizon-profil-", dir="/tmp"))
    try:
        contexte = browser_type.launch_persistent_context(str(profil), **browser_type_launch_args)
        temoin = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
        contexte.add_cookies([temoin])
        page, vues = contexte.new_page(), ""
        for chemin in PAGES:
            page.goto(live_server.url + chemin.format(**objets))
            page.wait_for_load_state("networkidle")
            vues += page.content()
            assert lieux.trouver(MOT, lieux.navigateur(page)) == [], chemin
        contexte.close()
        assert MOT in vues
        restes = lieux.trouver(MOT, lieux.dossier(profil))
        assert restes == []
        assert any(lieux.dossier(profil))
        assert lieux.trouver("localhost", [("History", (profil / "Default" / "History").read_bytes())])
    finally:
        shutil.rmtree(profil, ignore_errors=True)
