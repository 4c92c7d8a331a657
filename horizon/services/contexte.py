"""Construire un contexte : une projection calculée pour une destination, jamais une lecture brute (DV-01)."""

from dataclasses import replace
from typing import Any

from horizon import participants
from horizon.participants import Demande
from horizon.selectors.lieux import compte_de

PRESTATAIRES = frozenset({"local"})
"""Prestataires qui peuvent recevoir un contexte. `local` ne quitte pas la machine ; tout autre code est inconnu."""


def construire(demande: Demande, prestataire: str) -> dict[str, Any]:
    """Le contexte transmissible à ce prestataire ; inconnu : des sections vides, sans le dire."""
    reponse = vide()
    if prestataire not in PRESTATAIRES:
        return reponse
    compte = compte_de(demande)
    if compte is None:
        return reponse
    reponse["interlocuteur"]["pseudonyme"] = compte.pseudonyme or None
    demande = replace(demande, compte_id=compte.pk, identite=compte.identite_id)
    budget = demande.budget
    for participant in participants.tous():
        budget = participant.projeter(demande, reponse, budget)
    return reponse


def vide() -> dict[str, Any]:
    """Un contexte où rien n'est dit : la forme complète, toutes sections neutres."""
    return {
        "interlocuteur": {"pseudonyme": None, "connaissance": "insuffisamment_connue", "ancien_membre": False},
        "recent": [],
        "hypotheses": [],
        "synthese": None,
        "souvenirs": [],
        "globales": {},
        "collective": [],
    }
