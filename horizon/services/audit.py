"""Écriture des traces d'audit : une ligne dans la transaction de l'acte, jamais un contenu."""

from datetime import datetime

from horizon.models.audit import Action, Trace
from horizon.noyau.decision import Acteur


def tracer(
    action: Action,
    *,
    par: Acteur,
    objet: str,
    objet_id: object,
    maintenant: datetime,
    finalite: str = "",
    motif: str = "",
) -> Trace:
    """Ajoute une trace ; `objet` est la nature de l'objet, `objet_id` son identifiant opaque."""
    return Trace.objects.create(
        quand=maintenant,
        acteur_nature=par.nature,
        acteur_id=par.id,
        action=action,
        objet_nature=objet,
        objet_id=str(objet_id),
        finalite=finalite,
        motif=motif,
    )
