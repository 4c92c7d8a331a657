"""Les fondations dans ce qui traverse tout : comptes, pauses, anciens pseudonymes, réponses gardées."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from horizon.participants import Participant
from horizon.services import menage
from horizon.services.identites import absorber_comptes


class Fondations(Participant):
    """Participant des fondations : inscrit le premier, purge en premier."""

    nom = "horizon"
    modeles = frozenset(
        {
            "horizon.Identite",
            "horizon.Compte",
            "horizon.AncienPseudonyme",
            "horizon.Pause",
            "horizon.Espace",
            "horizon.Utilisateur",
        }
    )

    def absorber(self, source: UUID, cible: UUID, maintenant: datetime) -> None:
        absorber_comptes(source, cible)

    def detient(self, identites: Collection[UUID]) -> set[UUID]:
        return menage.identites_tenues(identites)

    def purger(self, maintenant: datetime) -> int:
        menage.purger(maintenant)
        return 0
