"""Tout lancer en une commande : base, file, migrations, web, démonstration, worker, beat, expiration."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from horizon.superviseur.poste import Poste

REFUS = {"0", "false", "no", "off", "non", ""}


class Command(BaseCommand):
    help = "Lance tout le Poste de commande et le surveille ; Ctrl-C arrête tout proprement."
    # Ni contrôle ni base avant le lancement : c'est cette commande qui démarre la base.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="port d'écoute sur 127.0.0.1 (8000)")
        parser.add_argument("--sans-demo", action="store_true", help="ne pas charger la communauté de démonstration")

    def handle(self, *args: Any, **options: Any) -> None:
        hote = settings.HOTES[0] if settings.HOTES else ""
        poste = Poste(
            racine=settings.BASE_DIR,
            donnees=settings.DONNEES,
            port=options["port"],
            demo=not options["sans_demo"] and demo_voulue(hote),
            hote=hote,
        )
        sys.exit(poste.tourner())


def demo_voulue(hote: str) -> bool:
    """HORIZON_DEMO explicite l'emporte ; sinon la démonstration n'est chargée qu'en local, jamais en production."""
    explicite = os.environ.get("HORIZON_DEMO")
    return explicite.strip().lower() not in REFUS if explicite is not None else not hote
