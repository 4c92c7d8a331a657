"""La mémoire dans ce qui traverse tout : recevoir, projeter, purger, régler les durées."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from horizon.noyau.decision import Acteur
from horizon.participants import Demande, Lot, Participant
from horizon.selectors.lieux import lieu_de_destination
from memoire.noyau.projection import tenir
from memoire.parametres import DUREE_COURTE
from memoire.selectors import court
from memoire.services import avis, expiration, reception


class Memoire(Participant):
    """Participant de la mémoire courte. Une interaction suit son compte : l'absorption n'a rien à y déplacer."""

    nom = "memoire"
    modeles = frozenset({"memoire.Interaction", "memoire.Barriere", "memoire.CompteurEntree"})
    recoit = reception.TYPES

    def recevoir(self, lot: Lot) -> None:
        reception.recevoir(lot)

    def attester_avis(self, jeton: str, *, plateformes: Sequence[str], par: Acteur, maintenant: datetime) -> bool:
        avis.attester(jeton, plateformes=plateformes, par=par, maintenant=maintenant)
        return True

    def projeter(self, demande: Demande, reponse: dict[str, Any], budget: int) -> int:
        """Récents nés dans l'espace de destination : rien d'ailleurs, rien d'autrui."""
        lieu = lieu_de_destination(demande)
        if lieu is None or demande.compte_id is None:
            return budget
        lus = court.recents(
            compte_id=demande.compte_id,
            espace_id=lieu.espace_id,
            visibilite=lieu.visibilite,
            maintenant=demande.maintenant,
        )
        gardes, reste = tenir(lus, budget)
        reponse["recent"] = [
            {
                "contenu": r.contenu,
                "auteur": r.auteur,
                "origine": "ici",
                "instant": r.emis_le,
                "reponse_a": r.reponse_a,
                "usage": "exprimable",
            }
            for r in gardes
        ]
        return reste

    def detient(self, identites: Collection[UUID]) -> set[UUID]:
        return court.identites_avec_contenu(identites)

    def contenu_avant(self, lignes: Sequence[tuple[int, int, datetime]]) -> set[int]:
        return court.avec_contenu_avant(lignes)

    def tient_espaces(self, espaces: Collection[int]) -> set[int]:
        return court.espaces_tenus(espaces)

    def purger(self, maintenant: datetime) -> int:
        return expiration.purger(maintenant)

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
