"""Administration technique : lecture seule, sans contenu, sans rien qui rapproche deux comptes."""

import pytest
from django.utils.timezone import now

from horizon.models import Compte
from memoire.models import Interaction
from tests.fabriques import Banc, configurer_salon, creer_banc, message
from tests.pages.conftest import Ouvrir

pytestmark = pytest.mark.django_db


@pytest.fixture
def banc() -> Banc:
    configurer_salon()
    return creer_banc("Passerelle")


@pytest.mark.exigence("CT-04", "SR-12")
def test_admin_sans_contenu_ni_lien_entre_comptes(ouvrir: Ouvrir, banc: Banc) -> None:
    banc.un(message("CANARI-CONTENU", auteur={"id": "77", "pseudonyme": "CanariPseudo", "nature": "personne"}))
    sa, vivante, compte = ouvrir("sa"), Interaction.objects.get(), Compte.objects.get(nature="personne")
    pages = ["/admin/", "/admin/memoire/interaction/", f"/admin/memoire/interaction/{vivante.pk}/change/"]
    pages += ["/admin/horizon/compte/", f"/admin/horizon/compte/{compte.pk}/change/", "/admin/horizon/trace/"]
    for page in pages:
        corps = sa.get(page)
        assert corps.status_code == 200, page
        for secret in ("CANARI", "CanariPseudo", str(compte.identite_id)):
            assert secret not in corps.content.decode(), page
    Interaction.objects.update(expire_a=now())
    assert sa.get(f"/admin/memoire/interaction/{vivante.pk}/change/").status_code == 302


@pytest.mark.exigence("SR-12")
@pytest.mark.parametrize(
    "recherche", ["contenu__startswith=C", "compte__pseudonyme=Ada", "compte__identite__id=1", "contexte__isnull=0"]
)
def test_admin_ne_laisse_pas_deviner_par_l_url(recherche: str, ouvrir: Ouvrir, banc: Banc) -> None:
    banc.un(message("CANARI"))
    client = ouvrir("sa")
    assert client.get(f"/admin/memoire/interaction/?{recherche}").status_code in {302, 400}


def test_admin_en_lecture_seule(ouvrir: Ouvrir, banc: Banc) -> None:
    sa = ouvrir("sa")
    assert sa.get("/admin/horizon/bot/add/").status_code == 403
    assert sa.get(f"/admin/horizon/bot/{banc.bot.pk}/delete/").status_code == 403
    assert sa.post(f"/admin/horizon/bot/{banc.bot.pk}/change/", {"nom": "autre"}).status_code == 405
    assert banc.bot.empreinte not in sa.get(f"/admin/horizon/bot/{banc.bot.pk}/change/").content.decode()
