"""Administration technique : lecture seule, sans contenu, réservée aux Super administrateurs.

Un site à part plutôt que celui de Django : les modèles des bibliothèques n'y paraissent jamais.
"""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from horizon import models


class Site(admin.AdminSite):
    """Le site d'administration ; connexion, mot de passe et déconnexion passent par les pages du Poste."""

    site_header = site_title = "Poste de commande — administration technique"
    index_title = "Lecture seule"
    enable_nav_sidebar = False

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return redirect("account_login")

    def logout(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return redirect("account_logout")

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return redirect("account_change_password")


site = Site()


class LectureSeule(admin.ModelAdmin):
    """Voir, jamais ajouter, changer ni supprimer ; seuls les filtres déclarés sont admis dans l'URL."""

    actions = None
    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Sans cette borne, `?contenu__startswith=a` permettrait de deviner un contenu caché lettre par lettre."""
        return lookup.split("__")[0] in {str(f) for f in self.list_filter}


@admin.register(models.Utilisateur, site=site)
class Utilisateurs(LectureSeule):
    """Comptes du Poste, sans leur Identité."""

    list_display = ("nom", "role", "is_active", "cree_le", "last_login")
    list_filter = ("role", "is_active")
    fields = ("nom", "role", "is_active", "cree_le", "last_login")


@admin.register(models.Bot, site=site)
class Bots(LectureSeule):
    """Bots, sans l'empreinte de leur clé."""

    list_display = ("nom", "prefixe", "plateformes", "portees", "cree_le", "expire_le", "revoque_le", "dernier_usage")
    fields = list_display


@admin.register(models.Espace, site=site)
class Espaces(LectureSeule):
    """Espaces, sans leur interlocuteur."""

    list_display = ("id", "plateforme", "externe_id", "nom", "visibilite", "configuration", "ferme_le")
    list_filter = ("plateforme", "visibilite", "configuration")
    fields = ("plateforme", "externe_id", "nom", "visibilite", "configuration", "ferme_le")

    def get_queryset(self, request: HttpRequest) -> Any:
        """Un échange privé dit, par son seul identifiant, qui écrit à P.O.U.B.E.L.L.E. : il n'y paraît pas."""
        return super().get_queryset(request).filter(interlocuteur__isnull=True)


@admin.register(models.Compte, site=site)
class Comptes(LectureSeule):
    """Comptes de plateforme : ni pseudonyme, ni Identité (elle montrerait que deux comptes sont la même Personne)."""

    list_display = ("id", "plateforme", "nature", "derniere_interaction", "avis_remis_le")
    list_filter = ("plateforme", "nature")
    fields = ("plateforme", "nature", "derniere_interaction", "avis_remis_le", "avis_duree")


@admin.register(models.Parametre, site=site)
class Parametres(LectureSeule):
    """Valeurs choisies."""

    list_display = ("cle", "valeur", "version")
    fields = list_display


@admin.register(models.Battement, site=site)
class Battements(LectureSeule):
    """Derniers passages des traitements."""

    list_display = ("nom", "vu_le")
    fields = list_display


@admin.register(models.Trace, site=site)
class Traces(LectureSeule):
    """Journal d'audit."""

    list_display = ("id", "quand", "acteur_nature", "acteur_id", "action", "objet_nature", "objet_id")
    list_filter = ("action", "acteur_nature", "objet_nature")
    fields = (*list_display[1:], "finalite", "motif")
    ordering = ("-pk",)
