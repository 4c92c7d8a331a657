"""`entrainer_sensibilite [--jeu DOSSIER] [--sortie FICHIER]` : réapprend le modèle du garde, à l'octet près."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from horizon.noyau.sensibilite.apprentissage import Phrase, ecrire, entrainer
from horizon.noyau.sensibilite.donnees import DOSSIER
from horizon.noyau.sensibilite.jeux import JeuIllisible, lire_jeu
from horizon.noyau.sensibilite.modele import FICHIER

JEU = Path(settings.BASE_DIR) / "tests" / "donnees" / "sensibilite"


class Command(BaseCommand):
    help = "Réapprend le modèle figé à partir de tous les TSV d’un dossier."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--jeu", type=Path, default=JEU, help="dossier des TSV étiquetés")
        parser.add_argument("--sans", action="append", default=[], metavar="AUTEUR", help="fichier à laisser de côté")
        parser.add_argument("--sortie", type=Path, default=DOSSIER / FICHIER)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            phrases = lire_dossier(options["jeu"], options["sans"])
        except (JeuIllisible, OSError) as erreur:
            raise CommandError(str(erreur)) from None
        if not phrases:
            raise CommandError("Aucune phrase à apprendre.")
        texte = ecrire(entrainer(phrases))
        options["sortie"].write_text(texte, encoding="utf-8")
        self.stdout.write(f"{len(phrases)} phrases, {len(texte.encode()) // 1024} Kio")


def lire_dossier(dossier: Path, sans: list[str]) -> list[Phrase]:
    """Toutes les phrases d'un dossier, fichiers dans l'ordre alphabétique."""
    return [
        Phrase(exemple.texte, str(exemple.decision), exemple.categorie, chemin.stem)
        for chemin in sorted(dossier.glob("*.tsv"))
        if chemin.stem not in sans
        for exemple in lire_jeu(chemin)
    ]
