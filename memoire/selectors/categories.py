"""Les dix catégories telles qu'elles se lisent : libellé choisi, ou celui d'origine (LT-09)."""

from dataclasses import dataclass

from horizon.models import Trace, Utilisateur
from horizon.models.audit import Action
from memoire.models import LibelleCategorie
from memoire.noyau.categories import CATEGORIES, Categorie


@dataclass(frozen=True, slots=True)
class CategorieLue:
    """Une catégorie, le libellé en vigueur et sa version (0 : jamais changé)."""

    categorie: Categorie
    libelle: str
    version: int

    @property
    def d_origine(self) -> bool:
        """Vrai si le libellé est celui du code."""
        return self.libelle == self.categorie.libelle


@dataclass(frozen=True, slots=True)
class Changement:
    """Dernier changement d'un libellé : par qui (vide : compte supprimé), quand."""

    nom: str
    trace: Trace


def toutes() -> list[CategorieLue]:
    """Les dix, dans leur ordre fixe."""
    choisis = {ligne.code: ligne for ligne in LibelleCategorie.objects.all()}
    return [_lue(categorie, choisis.get(code)) for code, categorie in CATEGORIES.items()]


def une(code: str) -> CategorieLue:
    """Celle-ci ; `KeyError` si elle n'existe pas."""
    return _lue(CATEGORIES[code], LibelleCategorie.objects.filter(code=code).first())


def libelles() -> dict[str, str]:
    """Libellé en vigueur de chaque code."""
    return {lue.categorie.code: lue.libelle for lue in toutes()}


def dernier_changement(code: str) -> Changement | None:
    """Qui a changé ce libellé en dernier ; None s'il ne l'a jamais été."""
    trace = Trace.objects.filter(action=Action.LIBELLE_CHANGE, objet_id=code).order_by("-pk").first()
    if trace is None:
        return None
    par_un_compte = trace.acteur_nature == "utilisateur" and trace.acteur_id.isdecimal()
    compte = Utilisateur.objects.filter(pk=int(trace.acteur_id)).first() if par_un_compte else None
    return Changement(compte.nom if compte else "", trace)


def _lue(categorie: Categorie, choisi: LibelleCategorie | None) -> CategorieLue:
    if choisi is None:
        return CategorieLue(categorie, categorie.libelle, 0)
    return CategorieLue(categorie, choisi.libelle, choisi.version)
