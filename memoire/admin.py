"""Administration technique de la mémoire : dates et états, jamais un contenu, jamais rien d'expiré."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone

from horizon.admin import LectureSeule, site
from memoire.models import Barriere, CompteurEntree, Interaction


@admin.register(Interaction, site=site)
class Interactions(LectureSeule):
    """Interactions vivantes : quand et où, sans qui ni quoi."""

    list_display = ("id", "plateforme", "espace_id", "auteur", "visibilite", "emis_le", "recu_le", "expire_a")
    list_filter = ("plateforme", "visibilite", "auteur")
    fields = ("plateforme", "auteur", "visibilite", "finalite", "emis_le", "recu_le", "modifie_le", "expire_a")
    ordering = ("-recu_le",)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Dès l'instant d'expiration, plus rien ne paraît, même si aucune passe n'a tourné (CT-04)."""
        vivantes = super().get_queryset(request).filter(etat=Interaction.Etat.VIVANTE)
        return vivantes.filter(expire_a__gt=timezone.now())


@admin.register(Barriere, site=site)
class Barrieres(LectureSeule):
    """Effacements datés d'un espace ; l'auteur visé n'est pas montré."""

    list_display = ("id", "espace_id", "jusqu_a", "expire_a")
    fields = ("jusqu_a", "expire_a")


@admin.register(CompteurEntree, site=site)
class Compteurs(LectureSeule):
    """Entrées et exclusions par heure."""

    list_display = ("heure", "plateforme", "espace_id", "statut", "motif", "nombre", "dernier")
    list_filter = ("plateforme", "statut", "motif")
    fields = ("heure", "plateforme", "statut", "motif", "nombre", "dernier")
