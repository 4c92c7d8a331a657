"""`creer_bot NOM --plateforme … --portee …` : crée un bot, montre sa clé une seule fois."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils.timezone import now

from horizon.management.base import Commande
from horizon.models.bots import PORTEES
from horizon.noyau.decision import EXPLOITATION
from horizon.services import bots


class Command(Commande):
    help = "Crée un bot et affiche sa clé une seule fois, seule sur la dernière ligne."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("nom")
        parser.add_argument("--plateforme", action="append", required=True, help="twitch, discord ou web (répétable)")
        parser.add_argument(
            "--portee", action="append", required=True, help=f"tout, ou : {', '.join(PORTEES)} (répétable)"
        )

    def agir(self, *, nom: str, plateforme: list[str], portee: list[str], **_: Any) -> str:
        portees = PORTEES if "tout" in portee else portee
        bot, cle = bots.creer(nom=nom, plateformes=plateforme, portees=portees, par=EXPLOITATION, maintenant=now())
        self.stdout.write(f"Bot {bot.pk} créé ({', '.join(bot.plateformes)}). Sa clé ne sera plus jamais affichée :")
        return cle
