"""La mémoire dans ce qui traverse tout : recevoir, projeter, purger, régler les durées."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from horizon.noyau.decision import Acteur
from horizon.noyau.oublis import Cible
from horizon.participants import Demande, Lot, Participant
from horizon.selectors.lieux import lieu_de_destination
from memoire.noyau.categories import CATEGORIES
from memoire.noyau.projection import dire_recent, tenir, tenir_hypotheses, tenir_souvenirs
from memoire.parametres import DUREE_COURTE
from memoire.selectors import court, longue
from memoire.services import absorption, avis, effacement, entretien, expiration, reception


class Memoire(Participant):
    """Participant de la mémoire. Une interaction suit son compte : l'absorption n'a rien à y déplacer."""

    nom = "memoire"
    modeles = frozenset(
        {
            "memoire.Interaction",
            "memoire.Barriere",
            "memoire.CompteurEntree",
            "memoire.Souvenir",
            "memoire.Proposition",
            "memoire.Hypothese",
            "memoire.Source",
            "memoire.Temoin",
            "memoire.VerrouOubli",
        }
    )
    recoit = reception.TYPES
    categories = frozenset(CATEGORIES)

    def recevoir(self, lot: Lot) -> None:
        reception.recevoir(lot)

    def attester_avis(self, jeton: str, *, plateformes: Sequence[str], par: Acteur, maintenant: datetime) -> bool:
        avis.attester(jeton, plateformes=plateformes, par=par, maintenant=maintenant)
        return True

    def projeter(self, demande: Demande, reponse: dict[str, Any], budget: int) -> int:
        """Souvenirs, récents puis hypothèses nés là où ils seront dits : rien d'ailleurs, rien d'autrui."""
        lieu = lieu_de_destination(demande)
        if lieu is None or demande.compte_id is None or demande.identite is None:
            return budget
        souvenirs = longue.souvenirs_nes_ici(
            demande.identite, demande.plateforme, en_public=lieu.visibilite == "public"
        )
        reponse["souvenirs"], budget = tenir_souvenirs(souvenirs, budget)
        ici = court.Ici(demande.compte_id, lieu.espace_id, lieu.visibilite, demande.maintenant)
        gardes, budget = tenir(court.recents(ici), budget)
        reponse["recent"] = [dire_recent(r) for r in gardes]
        reponse["hypotheses"], budget = tenir_hypotheses(longue.hypotheses_d_ici(ici), budget)
        return budget

    def detient(self, identites: Collection[UUID]) -> set[UUID]:
        return court.identites_avec_contenu(identites)

    def contenu_avant(self, lignes: Sequence[tuple[int, int, datetime]]) -> set[int]:
        return court.avec_contenu_avant(lignes)

    def tient_espaces(self, espaces: Collection[int]) -> set[int]:
        return court.espaces_tenus(espaces)

    def consequences(self, cible: Cible) -> dict[str, int]:
        return effacement.consequences(cible)

    def oublier(self, cible: Cible, maintenant: datetime) -> None:
        effacement.oublier(cible, maintenant)

    def absorber(self, source: UUID, cible: UUID, maintenant: datetime) -> None:
        absorption.absorber(source, cible)

    def purger(self, maintenant: datetime) -> int:
        return expiration.purger(maintenant) + entretien.purger(maintenant)

    def retard(self, maintenant: datetime) -> timedelta:
        return court.retard(maintenant)

    def apercevoir_parametre(self, cle: str, valeur: int, maintenant: datetime) -> str:
        if cle != DUREE_COURTE.cle:
            return ""
        nombre = court.raccourcies_par(timedelta(hours=valeur), maintenant)
        if not nombre:
            return "Aucun message déjà gardé ne serait effacé tout de suite."
        mot = "message déjà gardé serait effacé" if nombre == 1 else "messages déjà gardés seraient effacés"
        return f"{nombre} {mot} tout de suite."

    def appliquer_parametre(self, cle: str, valeur: int, maintenant: datetime) -> None:
        if cle == DUREE_COURTE.cle:
            expiration.raccourcir(timedelta(hours=valeur))
