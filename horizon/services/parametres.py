"""Changer un paramètre : borné, historisé, appliqué tout de suite à ce qui est déjà gardé."""

from datetime import datetime

from django.db import connection, transaction

from horizon import participants
from horizon.models import ChangementParametre, Parametre
from horizon.models.audit import Action
from horizon.models.utilisateurs import Utilisateur
from horizon.noyau.decision import Acteur
from horizon.parametres import Definition
from horizon.services.audit import tracer
from horizon.services.erreurs import Conflit, Refus

VERROU = 0x484F5201
"""Clé du verrou consultatif : partagé par l'ingestion, exclusif pour un changement. Sans lui, un message lu avec
l'ancienne durée pourrait être enregistré après le passage de la nouvelle."""


def figer() -> None:
    """Empêche tout changement de paramètre jusqu'à la fin de la transaction en cours."""
    with connection.cursor() as curseur:
        curseur.execute("SELECT pg_advisory_xact_lock_shared(%s)", [VERROU])


def changer(definition: Definition, nouvelle: int, *, version: int, par: Utilisateur, maintenant: datetime) -> None:
    """Enregistre `nouvelle` pour un paramètre. `version` est celle que l'appelant a lue (0 : jamais changé).

    Lève `Refus` hors bornes, `Conflit` si un autre l'a changé entre-temps. La même valeur est sans effet.
    """
    if not definition.recevable(nouvelle):
        raise Refus(
            "hors_bornes", f"La valeur va de {definition.minimum} à {definition.maximum} {definition.unite}.", 400
        )
    with transaction.atomic():
        with connection.cursor() as curseur:
            curseur.execute("SELECT pg_advisory_xact_lock(%s)", [VERROU])
        actuel = Parametre.objects.filter(cle=definition.cle).first()
        if (actuel.version if actuel else 0) != version:
            raise Conflit("version", "Ce paramètre a changé depuis l’affichage de la page.")
        ancienne = actuel.valeur if actuel else definition.initiale
        if ancienne == nouvelle:
            return
        Parametre.objects.update_or_create(cle=definition.cle, defaults={"valeur": nouvelle, "version": version + 1})
        ChangementParametre.objects.create(
            cle=definition.cle, ancienne=ancienne, nouvelle=nouvelle, change_le=maintenant, par=par
        )
        for participant in participants.tous():
            participant.appliquer_parametre(definition.cle, nouvelle, maintenant)
        tracer(
            Action.PARAMETRE_CHANGE,
            par=Acteur("utilisateur", str(par.pk)),
            objet="parametre",
            objet_id=definition.cle,
            maintenant=maintenant,
        )


def apercevoir(definition: Definition, valeur: int, *, maintenant: datetime) -> list[str]:
    """Phrases chiffrées sur ce qu'un changement produirait tout de suite."""
    phrases = (p.apercevoir_parametre(definition.cle, valeur, maintenant) for p in participants.tous())
    return [phrase for phrase in phrases if phrase]
