"""Base des commandes d'exploitation : un refus de domaine devient une ligne lisible, jamais une trace."""

from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from horizon.services.erreurs import Refus


class Commande(BaseCommand):
    """Une commande : `agir` fait l'acte et rend la dernière ligne à imprimer (vide : rien)."""

    requires_migrations_checks = True
    agir: Callable[..., str]

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            ligne = self.agir(**options)
        except Refus as refus:
            raise CommandError(refus.message) from None
        if ligne:
            self.stdout.write(ligne)


def couple(texte: str) -> tuple[str, str]:
    """Lit `PLATEFORME:ID`."""
    plateforme, _, identifiant = texte.partition(":")
    if not identifiant:
        raise CommandError("Écrire la liaison sous la forme PLATEFORME:ID.")
    return plateforme, identifiant
