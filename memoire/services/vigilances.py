"""Lire le texte d'une vigilance : une finalité choisie, une trace, et rien de plus (DR-07, DR-14)."""

from datetime import datetime

from django.db import transaction

from horizon.models.audit import Action
from horizon.noyau.decision import Acteur
from horizon.noyau.motifs import CONSULTATIONS
from horizon.services.audit import tracer
from horizon.services.erreurs import Refus
from memoire.selectors import vigilances


def consulter(proposition_id: int, finalite: str, *, par: Acteur, maintenant: datetime) -> str:
    """Le texte d'une vigilance à trancher, une fois sa consultation tracée.

    `Refus` 422 : finalité hors de la liste fermée ; 410 : déjà tranchée, échue ou caduque.
    """
    if finalite not in CONSULTATIONS:
        raise Refus("finalite", "Choisir une finalité de la liste.")
    with transaction.atomic():
        proposition = vigilances.ouvertes(maintenant).filter(pk=proposition_id).first()
        if proposition is None:
            raise plus_a_trancher()
        tracer(
            Action.VIGILANCE_CONSULTEE,
            par=par,
            objet="identite",
            objet_id=proposition.identite_id,
            maintenant=maintenant,
            finalite=finalite,
            motif=proposition.categorie,
        )
        return proposition.contenu


def plus_a_trancher() -> Refus:
    """Le même refus, que la vigilance ait été tranchée, soit échue, caduque, ou n'ait jamais existé."""
    return Refus(
        "vigilance", "Cette vigilance n’est plus à trancher : quelqu’un l’a fait, ou elle a passé son terme.", 410
    )
