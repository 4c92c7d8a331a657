"""`revendiquer PLATEFORME ID --motif M [--lier PLATEFORME:ID …]` : revendication prouvée hors ligne, tracée."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils.timezone import now

from horizon.management.base import Commande, couple
from horizon.noyau.decision import EXPLOITATION
from horizon.services.identites import revendiquer


class Command(Commande):
    help = "Revendique l’Identité d’un compte prouvé, et y lie d’autres comptes prouvés."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("plateforme")
        parser.add_argument("id")
        parser.add_argument("--motif", required=True, help="pourquoi, en une ligne ; gardé dans la trace")
        parser.add_argument("--lier", action="append", default=[], metavar="PLATEFORME:ID")

    def agir(self, *, plateforme: str, id: str, motif: str, lier: list[str], **_: Any) -> str:
        identite = revendiquer(
            plateforme=plateforme,
            externe_id=id,
            motif=motif,
            lier=[couple(texte) for texte in lier],
            par=EXPLOITATION,
            maintenant=now(),
        )
        return f"Identité {identite.pk} revendiquée."
