"""Modèles des fondations : comptes du Poste, identités, espaces, bots, paramètres, traces."""

from horizon.models.audit import Trace
from horizon.models.bots import Bot, Livraison, ReponseGardee
from horizon.models.espaces import Espace
from horizon.models.identites import AncienPseudonyme, Compte, Identite, Pause
from horizon.models.oublis import JetonServi, Oubli
from horizon.models.parametres import Battement, ChangementParametre, Parametre
from horizon.models.utilisateurs import Utilisateur

__all__ = [
    "AncienPseudonyme",
    "Battement",
    "Bot",
    "ChangementParametre",
    "Compte",
    "Espace",
    "Identite",
    "JetonServi",
    "Livraison",
    "Oubli",
    "Parametre",
    "Pause",
    "ReponseGardee",
    "Trace",
    "Utilisateur",
]
