"""`evaluer_sensibilite FICHIER [--json]` : ce que vaut le garde sur un jeu étiqueté (SE-09). Ni base, ni réseau."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from horizon.noyau.sensibilite import VERSION, examiner
from horizon.noyau.sensibilite.jeux import JeuIllisible, lire_jeu
from horizon.noyau.sensibilite.mesure import eprouver, rapport

LIBELLES = {
    "refus": "Interdits refusés",
    "fuite": "Interdits admis (fuite)",
    "faux_refus": "Admissibles refusés",
    "friction": "Admissibles mis en vigilance",
    "vigilance_manquee": "Vigilances admises",
}


class Command(BaseCommand):
    help = "Mesure le garde sur un fichier TSV (texte, decision, categorie, difficulte) ; jamais une phrase en sortie."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("fichier", type=Path)
        parser.add_argument("--json", action="store_true", help="le rapport entier, en JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            exemples = lire_jeu(options["fichier"])
        except (JeuIllisible, OSError) as erreur:
            raise CommandError(str(erreur)) from None
        examiner("")  # charge règles et modèle hors de la mesure
        resultat = rapport(eprouver(exemples, examiner), VERSION)
        if options["json"]:
            self.stdout.write(json.dumps(resultat, ensure_ascii=False))
        else:
            self.stdout.write("\n".join(_lignes(resultat)))


def _lignes(resultat: dict[str, Any]) -> list[str]:
    lignes = [f"Garde {resultat['version']}, {resultat['total']} phrases", ""]
    lignes += ["attendu \\ rendu     admis  vigilance  refus"]
    for attendu, rendus in resultat["matrice"].items():
        lignes.append(f"{attendu:<18}{rendus['admis']:>7}{rendus['vigilance']:>11}{rendus['refus']:>7}")
    lignes.append("")
    for nom, libelle in LIBELLES.items():
        bas, haut = resultat["intervalles"][nom]
        lignes.append(f"{libelle:<30}{resultat[nom]:>7.1f} %   [{bas:.1f} ; {haut:.1f}]")
    lignes += ["", "Par catégorie : refusés / fuite / catégorie juste"]
    for nom, valeurs in resultat["par_categorie"].items():
        parts = (valeurs[cle]["pourcentage"] for cle in ("refus", "fuite", "categorie_juste"))
        lignes.append(f"  {nom:<14}" + "".join(f"{part:>8.1f} %" for part in parts) + f"   ({valeurs['total']})")
    lignes += ["", "Par difficulté"]
    for nom, valeurs in resultat["par_difficulte"].items():
        lignes.append(f"  {nom:<14}" + "  ".join(f"{cle} {valeurs[cle]:.1f}" for cle in LIBELLES))
    latence = resultat["latence_ms"]
    lignes += ["", f"Latence : médiane {latence['mediane']} ms, p95 {latence['p95']} ms, max {latence['max']} ms", ""]
    for nom, fautifs in resultat["fautifs"].items():
        lignes.append(f"{nom} ({len(fautifs)}) : {' '.join(fautifs)}")
    return lignes
