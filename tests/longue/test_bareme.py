"""La page de la mémoire suit son code : barème, courbe, catégories."""

import pytest

from memoire.noyau.categories import CATEGORIES
from tests.longue import bareme


@pytest.mark.exigence("CF-01")
def test_la_table_et_la_courbe_suivent_le_bareme() -> None:
    page = bareme.PAGE.read_text()
    assert page == bareme.inserer(page), "uv run python -m tests.longue.bareme"
    assert bareme.COURBE.read_text() == bareme.courbe(), "uv run python -m tests.longue.bareme"
    assert "../static/img/confiance.svg" in page


@pytest.mark.exigence("CF-01")
def test_toucher_au_bareme_se_voit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoire.noyau.confiance.PART_DE_CONTRADICTION", 2)
    assert bareme.COURBE.read_text() != bareme.courbe()
    assert bareme.inserer(bareme.PAGE.read_text()) != bareme.PAGE.read_text()


@pytest.mark.exigence("LT-01", "LT-12")
def test_les_dix_categories_y_sont() -> None:
    page = bareme.PAGE.read_text()
    assert len(CATEGORIES) == 10
    for categorie in CATEGORIES.values():
        assert f"| `{categorie.code}` | {categorie.libelle} |" in page
