"""Pages de la mémoire : tableau de bord, compteurs vivants, espaces ; catégories, Noyau, vigilances."""

from django.urls import path

from memoire.web import categories, decisions, espaces, tableau, vigilances

urlpatterns = [
    path("", tableau.page, name="tableau"),
    path("pouls/", tableau.pouls, name="pouls"),
    path("espaces/", espaces.liste, name="espaces"),
    path("espaces/configurer/", espaces.configurer, name="espace_configurer"),
    path("espaces/<int:espace_id>/fermer/", espaces.fermer, name="espace_fermer"),
    path("espaces/<int:espace_id>/rouvrir/", espaces.rouvrir, name="espace_rouvrir"),
    path("espaces/<int:espace_id>/retirer/", espaces.retirer, name="espace_retirer"),
    path("categories/", categories.liste, name="categories"),
    path("categories/<slug:code>/", categories.modifier, name="categorie"),
    path("noyau/", decisions.recentes, name="noyau"),
    path("vigilances/", vigilances.liste, name="vigilances"),
    path("vigilances/<int:proposition_id>/", vigilances.une, name="vigilance"),
]
