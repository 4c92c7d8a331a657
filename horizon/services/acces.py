"""Accès au Poste : créer un compte et son lien d'activation."""

from datetime import datetime

from django.db import IntegrityError, transaction

from horizon.models import Utilisateur
from horizon.models.audit import Action
from horizon.models.utilisateurs import Role
from horizon.noyau.decision import Acteur
from horizon.services.audit import tracer
from horizon.services.erreurs import Refus


def creer(
    *,
    nom: str,
    role: str,
    par: Acteur,
    maintenant: datetime,
    mot_de_passe: str | None = None,
    demonstration: bool = False,
) -> Utilisateur:
    """Crée un compte du Poste. Sans mot de passe, il ne s'ouvre que par son lien d'activation.

    `demonstration` : seul un tel compte échappe au second facteur, et seulement quand le Poste tourne en démonstration.
    """
    if role not in Role.values:
        raise Refus("role", f"Le rôle est l’un de : {', '.join(Role.values)}.", 400)
    if not nom.strip() or len(nom) > 60 or not nom.isprintable():
        raise Refus("nom", "Le nom de connexion compte de 1 à 60 caractères imprimables.", 400)
    compte = Utilisateur(nom=nom, role=role, cree_le=maintenant, demonstration=demonstration)
    if mot_de_passe is None:
        compte.set_unusable_password()
    else:
        compte.set_password(mot_de_passe)
    try:
        with transaction.atomic():
            compte.save()
            tracer(
                Action.ACCES_CREE, par=par, objet="utilisateur", objet_id=compte.pk, maintenant=maintenant, motif=role
            )
    except IntegrityError:
        raise Refus("nom_pris", "Ce nom de connexion est déjà pris.", 409) from None
    return compte
