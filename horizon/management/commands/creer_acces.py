"""`creer_acces NOM --role capitaine|sa|membre` : crée un compte du Poste et son lien d'activation."""

from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.core.management.base import CommandParser
from django.urls import reverse
from django.utils.timezone import now

from horizon.management.base import Commande
from horizon.models.utilisateurs import Role
from horizon.noyau.decision import EXPLOITATION
from horizon.services import acces


class Command(Commande):
    help = "Crée un compte du Poste ; le lien d’activation, à usage unique, est seul sur la dernière ligne."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("nom")
        parser.add_argument("--role", required=True, choices=Role.values)

    def agir(self, *, nom: str, role: str, **_: Any) -> str:
        compte = acces.creer(nom=nom, role=role, par=EXPLOITATION, maintenant=now())
        chemin = reverse(
            "account_reset_password_from_key",
            kwargs={"uidb36": user_pk_to_url_str(compte), "key": default_token_generator.make_token(compte)},
        )
        self.stdout.write("Lien d’activation, valable deux jours et une seule fois :")
        return settings.ADRESSE_PUBLIQUE.rstrip("/") + chemin
