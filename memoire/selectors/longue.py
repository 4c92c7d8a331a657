"""Lectures de la mémoire longue, pour une projection ou une page : jamais ce qui est gelé ou échu."""

from uuid import UUID

from horizon.binaire import executer
from memoire.noyau.projection import SouvenirLu
from memoire.noyau.provenance import Provenance, dire
from memoire.selectors.court import Ici


def souvenirs_nes_ici(identite: UUID, plateforme: str, *, en_public: bool) -> list[SouvenirLu]:
    """Souvenirs non gelés nés sur cette seule plateforme ; en public, ceux dont l'origine est publique."""
    lignes = executer(
        """SELECT categorie, contenu, confiance, contradictions FROM memoire_souvenir
           WHERE identite_id = %b AND gele_le IS NULL AND plateformes = ARRAY[%b::varchar]
             AND (visibilite = 'public' OR NOT %b)
           ORDER BY confiance DESC, categorie""",
        identite,
        plateforme,
        en_public,
    )
    return [SouvenirLu(*ligne) for ligne in lignes]


def provenance(identite: UUID, categorie: str, plateforme: str, *, en_public: bool) -> Provenance | None:
    """D'où vient ce souvenir et de quand il date ; None s'il n'y en a pas, ou s'il est tu là où on le demande."""
    lignes = executer(
        """SELECT origine, visibilite, enregistre_le FROM memoire_souvenir
           WHERE identite_id = %b AND categorie = %b AND gele_le IS NULL AND plateformes = ARRAY[%b::varchar]
             AND (visibilite = 'public' OR NOT %b)""",
        identite,
        categorie,
        plateforme,
        en_public,
    )
    return dire(*lignes[0]) if lignes else None


def hypotheses_d_ici(ici: Ici) -> list[str]:
    """Hypothèses vivantes nées dans cet espace, de la plus récente à la plus ancienne."""
    lignes = executer(
        """SELECT texte FROM memoire_hypothese
           WHERE compte_id = %b AND espace_id = %b AND visibilite = %b AND expire_a > %b ORDER BY creee_le DESC""",
        ici.compte_id,
        ici.espace_id,
        ici.visibilite,
        ici.maintenant,
    )
    return [texte for (texte,) in lignes]
