"""Pauses : la Personne suspend ou reprend sa mémorisation, partout ou dans un espace (ID-09)."""

from datetime import datetime

from django.db import transaction

from horizon.models import Compte, Pause
from horizon.models.audit import Action
from horizon.noyau.decision import Acteur
from horizon.services.audit import tracer
from horizon.services.erreurs import Refus
from horizon.services.espaces import assurer_espace
from horizon.services.identites import Cle, assurer, verifier_personne


def suspendre(*, plateforme: str, externe_id: str, espace: Cle | None, par: Acteur, maintenant: datetime) -> None:
    """Suspend la mémorisation d'une Personne, partout (`espace` nul) ou dans un espace (ID-09). Idempotent.

    Un compte encore inconnu est créé : on peut refuser d'être mémorisé avant d'avoir parlé.
    """
    verifier_personne((plateforme, externe_id))
    with transaction.atomic():
        compte = assurer([(plateforme, externe_id)], maintenant=maintenant)[plateforme, externe_id]
        if compte.identite_id is None:
            raise Refus("bot", "Ce compte est celui d’un bot.")
        cible = assurer_espace(*espace) if espace else None
        lieu = {"partout": True} if cible is None else {"espace_id": cible}
        _, neuve = Pause.objects.get_or_create(identite_id=compte.identite_id, **lieu, defaults={"depuis": maintenant})
        if not neuve:
            return
        tracer(Action.PAUSE, par=par, objet="identite", objet_id=compte.identite_id, maintenant=maintenant)


def reprendre(*, plateforme: str, externe_id: str, espace: Cle | None, par: Acteur, maintenant: datetime) -> None:
    """Lève une pause : celle de l'espace nommé, ou (sans espace) la pause générale seule. Sans pause : sans effet."""
    with transaction.atomic():
        compte = Compte.objects.select_for_update().filter(plateforme=plateforme, externe_id=externe_id).first()
        if compte is None or compte.identite_id is None:
            return
        pauses = Pause.objects.filter(identite_id=compte.identite_id)
        if espace is None:
            levees = pauses.filter(partout=True)
        else:
            levees = pauses.filter(espace__plateforme=espace[0], espace__externe_id=espace[1])
        if levees.delete()[0]:
            tracer(Action.REPRISE, par=par, objet="identite", objet_id=compte.identite_id, maintenant=maintenant)
