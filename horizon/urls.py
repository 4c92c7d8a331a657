"""Toutes les adresses du Poste. Leur politique d'accès est dans `horizon.web.politiques`."""

from allauth.account import views as comptes_allauth
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as secours
from allauth.mfa.totp import views as totp
from django.urls import URLPattern, URLResolver, include, path, re_path

from horizon.admin import site
from horizon.web import audit, bots, comptes, confidentialite, garde, parametres, sante, theme
from horizon.web.acces import reauthentifie

handler400 = "horizon.web.erreurs.demande_illisible"
handler403 = "horizon.web.erreurs.interdit"
handler404 = "horizon.web.erreurs.introuvable"
handler500 = "horizon.web.erreurs.panne"

# allauth est repris vue par vue : ni inscription, ni courriel, ni réinitialisation demandée par la page.
comptes_urls: list[URLPattern | URLResolver] = [
    path("connexion/", comptes_allauth.login, name="account_login"),
    path("deconnexion/", comptes_allauth.logout, name="account_logout"),
    path("inactif/", comptes_allauth.account_inactive, name="account_inactive"),
    path("confirmation/", comptes_allauth.reauthenticate, name="account_reauthenticate"),
    path("confirmation/code/", mfa.reauthenticate, name="mfa_reauthenticate"),
    path("mot-de-passe/", comptes_allauth.password_change, name="account_change_password"),
    path("mot-de-passe/choisir/", comptes.absente, name="account_set_password"),
    re_path(
        r"^activation/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        comptes_allauth.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "activation/faite/", comptes_allauth.password_reset_from_key_done, name="account_reset_password_from_key_done"
    ),
    path("second-facteur/", mfa.index, name="mfa_index"),
    path("second-facteur/code/", mfa.authenticate, name="mfa_authenticate"),
    path("second-facteur/activer/", reauthentifie(totp.activate_totp), name="mfa_activate_totp"),
    path("second-facteur/desactiver/", reauthentifie(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path("codes-de-secours/", reauthentifie(secours.view_recovery_codes), name="mfa_view_recovery_codes"),
    path(
        "codes-de-secours/renouveler/",
        reauthentifie(secours.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path("codes-de-secours/fichier/", reauthentifie(comptes.codes_de_secours), name="mfa_download_recovery_codes"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("memoire.urls")),
    path("bots/", bots.liste, name="bots"),
    path("bots/creer/", bots.creer, name="bot_creer"),
    path("bots/<int:bot_id>/revoquer/", bots.revoquer, name="bot_revoquer"),
    path("parametres/", parametres.liste, name="parametres"),
    path("parametres/<slug:cle>/", parametres.modifier, name="parametre"),
    path("sante/", sante.page, name="sante"),
    path("audit/", audit.journal, name="audit"),
    path("garde/", garde.essai, name="garde"),
    path("confidentialite/", confidentialite.page, name="confidentialite"),
    path("theme/", theme.changer, name="theme"),
    path("comptes/", include(comptes_urls)),
    path("admin/", site.urls),
    path("api/v1/", include(("horizon.api.urls", "api"))),
    path("api/v1/", include(("memoire.api.urls", "api"), namespace="api_memoire")),
]
