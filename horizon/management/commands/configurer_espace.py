"""`configurer_espace PLATEFORME ID --visibilite public|prive [--nom N] [--retirer]`."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.timezone import now

from horizon.management.base import Commande
from horizon.noyau.decision import EXPLOITATION
from horizon.services import espaces


class Command(Commande):
    help = "Rend un espace mémorisable, ou non."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("plateforme")
        parser.add_argument("id")
        parser.add_argument("--visibilite", choices=("public", "prive"))
        parser.add_argument("--nom", default="")
        parser.add_argument("--retirer", action="store_true")

    def agir(self, *, plateforme: str, id: str, visibilite: str | None, nom: str, retirer: bool, **_: Any) -> str:
        if retirer:
            espaces.retirer(plateforme=plateforme, externe_id=id, par=EXPLOITATION, maintenant=now())
            return "Espace retiré : plus rien n’y sera mémorisé ; ce qui y fut gardé expire à son heure."
        if visibilite is None:
            raise CommandError("Préciser --visibilite public ou --visibilite prive.")
        espaces.configurer(
            plateforme=plateforme, externe_id=id, visibilite=visibilite, nom=nom, par=EXPLOITATION, maintenant=now()
        )
        return f"Espace configuré ({visibilite})."
