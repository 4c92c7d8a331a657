"""`rejouer_oublis` : après une restauration, applique les oublis que la base a perdus (DR-10)."""

from typing import Any

from django.utils.timezone import now

from horizon.management.base import Commande
from horizon.noyau.decision import EXPLOITATION
from horizon.services import oublis


class Command(Commande):
    help = "Rejoue les oublis postérieurs à la sauvegarde restaurée ; leur nombre est seul sur la dernière ligne."

    def agir(self, **_: Any) -> str:
        return str(oublis.rejouer(par=EXPLOITATION, maintenant=now()))
