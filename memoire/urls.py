"""Pages de la mémoire courte : tableau de bord, compteurs vivants, espaces."""

from django.urls import path

from memoire.web import espaces, tableau

urlpatterns = [
    path("", tableau.page, name="tableau"),
    path("pouls/", tableau.pouls, name="pouls"),
    path("espaces/", espaces.liste, name="espaces"),
    path("espaces/configurer/", espaces.configurer, name="espace_configurer"),
    path("espaces/<int:espace_id>/fermer/", espaces.fermer, name="espace_fermer"),
    path("espaces/<int:espace_id>/rouvrir/", espaces.rouvrir, name="espace_rouvrir"),
    path("espaces/<int:espace_id>/retirer/", espaces.retirer, name="espace_retirer"),
]
