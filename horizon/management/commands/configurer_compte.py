"""`configurer_compte PLATEFORME ID --role poubelle|bot [--retirer]`."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.timezone import now

from horizon.management.base import Commande
from horizon.noyau.decision import EXPLOITATION
from horizon.services.identites import configurer_compte


class Command(Commande):
    help = "Déclare le compte de P.O.U.B.E.L.L.E. ou d’un autre bot sur une plateforme."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("plateforme")
        parser.add_argument("id")
        parser.add_argument("--role", choices=("poubelle", "bot"))
        parser.add_argument("--retirer", action="store_true", help="rend le compte à une Personne ordinaire")

    def agir(self, *, plateforme: str, id: str, role: str | None, retirer: bool, **_: Any) -> str:
        nature = "personne" if retirer else role
        if nature is None:
            raise CommandError("Préciser --role poubelle ou --role bot.")
        configurer_compte(plateforme=plateforme, externe_id=id, nature=nature, par=EXPLOITATION, maintenant=now())
        return "Compte rendu à une Personne." if retirer else f"Compte déclaré : {nature}."
