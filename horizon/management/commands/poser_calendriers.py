"""`poser_calendriers` : crée ou remet à jour les calendriers de beat."""

from typing import Any

from horizon.management.base import Commande
from horizon.services import calendriers


class Command(Commande):
    help = "Crée ou remet à jour les calendriers de beat."

    def agir(self, **_: Any) -> str:
        calendriers.poser()
        return ""
