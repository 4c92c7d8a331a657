"""Lancer la commande comme on la lance, et lire ce qu'elle imprime."""

import io
import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.core.management import call_command


@dataclass(frozen=True)
class Sortie:
    """Ce qu'un lancement a imprimé."""

    texte: str
    erreurs: str

    @property
    def acces(self) -> dict[str, str]:
        """Mot de passe par nom de connexion."""
        return dict(re.findall(r"^  (capitaine|chloe|ada) .* (\S+)$", self.texte, re.MULTILINE))

    @property
    def cles(self) -> dict[str, str]:
        """Clé par bot."""
        return dict(re.findall(r"^  (passerelle-\w+) +(hz_\S+)$", self.texte, re.MULTILINE))


@pytest.fixture
def charger_demo() -> Callable[..., Sortie]:
    def lancer(*options: str) -> Sortie:
        sortie, erreurs = io.StringIO(), io.StringIO()
        call_command("charger_demo", *options, stdout=sortie, stderr=erreurs)
        return Sortie(sortie.getvalue(), erreurs.getvalue())

    return lancer
