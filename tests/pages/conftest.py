"""Un équipage connecté : chaque rôle a son navigateur d'essai, second facteur actif et identité fraîchement prouvée."""

import time
from collections.abc import Callable

import pytest
from allauth.account.internal.flows.login import (
    _AUTHENTICATION_METHODS_USER_SESSION_KEY as CLE_COMPTE,
)
from allauth.account.internal.flows.login import (
    AUTHENTICATION_METHODS_SESSION_KEY as CLE_PREUVES,
)
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.cache import cache
from django.test import Client
from django.utils.timezone import now

from horizon.models import Utilisateur
from horizon.noyau.decision import EXPLOITATION
from horizon.services import acces

MOT_DE_PASSE = "un-mot-de-passe-assez-long"
NOMS = {"capitaine": "Capitaine", "sa": "Chloé", "membre": "Ada"}
Ouvrir = Callable[..., Client]


@pytest.fixture(autouse=True)
def sans_limite_de_debit() -> None:
    """Les compteurs d'essais de connexion repartent de zéro."""
    cache.clear()


def creer_compte(role: str, *, second_facteur: bool = True) -> Utilisateur:
    """Un compte du Poste, avec ou sans application d'authentification."""
    compte = acces.creer(nom=NOMS[role], role=role, par=EXPLOITATION, maintenant=now(), mot_de_passe=MOT_DE_PASSE)
    if second_facteur:
        TOTP.activate(compte, generate_totp_secret())
        RecoveryCodes.activate(compte)
    return compte


def prouver(client: Client, compte: Utilisateur, *, il_y_a: float = 0) -> None:
    """Note dans la session une preuve d'identité vieille de `il_y_a` secondes."""
    session = client.session
    session[CLE_COMPTE] = str(compte.pk)
    session[CLE_PREUVES] = [{"method": "password", "at": time.time() - il_y_a}]
    session.save()


@pytest.fixture
def ouvrir(db: None) -> Ouvrir:
    """`ouvrir(role)` : un client connecté (`anonyme` : non), preuve récente sauf `recente=False`."""

    def faire(role: str, *, second_facteur: bool = True, recente: bool = True) -> Client:
        client = Client()
        if role == "anonyme":
            return client
        compte = Utilisateur.objects.filter(nom=NOMS[role]).first() or creer_compte(role, second_facteur=second_facteur)
        client.force_login(compte)
        prouver(client, compte, il_y_a=0 if recente else 301)
        return client

    return faire


def sans_second_facteur(compte: Utilisateur) -> None:
    """Retire tout second facteur d'un compte."""
    Authenticator.objects.filter(user=compte).delete()
