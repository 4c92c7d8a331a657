"""Les statistiques dans ce qui traverse tout : recevoir, absorber, détenir, purger."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from horizon.noyau.oublis import Cible
from horizon.participants import Lot, Participant
from statistiques.selectors.observations import identites_observees, nombre_d_observations
from statistiques.services import absorption, effacement, reception


class Statistiques(Participant):
    """Participant des observations. Les messages n'arrivent pas par ici : la mémoire dit ceux qu'elle a fait entrer."""

    nom = "statistiques"
    modeles = frozenset({"statistiques.Observation", "statistiques.Marque", "statistiques.Direct"})
    recoit = reception.TYPES
    tables = ("statistiques_observation", "statistiques_marque")

    def recevoir(self, lot: Lot) -> None:
        reception.recevoir(lot)

    def absorber(self, source: UUID, cible: UUID, maintenant: datetime) -> None:
        absorption.absorber(source, cible)

    def detient(self, identites: Collection[UUID]) -> set[UUID]:
        return identites_observees(identites)

    def consequences(self, cible: Cible) -> dict[str, int]:
        if cible.nature != "personne" or cible.identite is None:
            return {}
        return {"observations": nombre_d_observations(cible.identite)}

    def oublier(self, cible: Cible, maintenant: datetime) -> None:
        """Un oubli total efface les observations ; celui d'une catégorie ou d'un message n'y touche pas."""
        if cible.nature == "personne" and cible.identite is not None:
            effacement.oublier(cible.identite, cible.le)

    def purger(self, maintenant: datetime) -> int:
        """Zéro : une observation n'a pas de contenu, et le registre ne compte que les contenus effacés."""
        effacement.purger(maintenant)
        return 0
