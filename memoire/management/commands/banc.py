"""`banc [--json] [--interactions N] [--identites N]` : ce que l'entrée, la lecture et l'effacement coûtent ici."""

import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.timezone import now

from horizon.management.base import Commande
from memoire.banc import mesures, terrain
from memoire.banc.courbes import dessiner
from memoire.banc.matiere import Matiere
from memoire.banc.mesures import Banc, Mesure

TAILLES = (10_000, 100_000, 1_000_000, 10_000_000)
CENT_AUTEURS = 100
A_EXPIRER = 1_000_000
MESSAGES_PAR_TOUR = 8000


class Command(Commande):
    """Tout se passe dans un dossier neuf, effacé à la fin : ni la base du Poste ni celle des essais n'est touchée."""

    help = "Mesure l’ingestion, le contexte et l’expiration, rapportés au plafond de PostgreSQL."
    requires_migrations_checks = False
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="rend les mesures en JSON, seules sur la sortie")
        parser.add_argument("--interactions", type=int, default=1_000_000, help="messages tenus, au plus")
        parser.add_argument("--identites", type=int, default=10_000, help="Personnes connues")
        parser.add_argument("--svg", type=Path, help="écrit aussi les courbes dans ce fichier")

    def agir(self, *, json: bool, interactions: int, identites: int, svg: Path | None, **_: Any) -> str:
        if interactions < 1000 or identites < CENT_AUTEURS:
            raise CommandError("Il faut au moins 1 000 interactions et 100 identités.")
        if terrain.MARQUE not in os.environ:
            code = terrain.ailleurs(sys.argv[2:])
            if code:
                raise CommandError("Le banc a échoué.", returncode=code)
            return ""
        lues = _mesurer(interactions, identites)
        if svg:
            svg.write_text(dessiner(lues), encoding="utf-8")
        return _en_json(lues) if json else _en_texte(lues)


def _mesurer(interactions: int, identites: int) -> Mesure:
    cle = terrain.preparer(identites)
    par_tour = min(interactions, MESSAGES_PAR_TOUR)
    tailles = [t for t in TAILLES if t < interactions] + [interactions]
    with terrain.serveur() as port:
        banc = Banc(port, cle, terrain.acces_direct(), Matiere(identites))
        return {
            "le": now().date().isoformat(),
            "machine": {"coeurs": os.cpu_count(), "python": platform.python_version()},
            "identites": identites,
            "contexte": [mesures.contexte(banc, taille) for taille in tailles],
            "ingestion": mesures.ingestion(banc, par_tour),
            "expiration": mesures.expiration(banc, min(interactions, A_EXPIRER), par_tour),
        }


def _en_json(lues: Mesure) -> str:
    return json.dumps(lues, ensure_ascii=False)


def _en_texte(lues: Mesure) -> str:
    lignes = []
    for section, contenu in lues.items():
        for element in contenu if isinstance(contenu, list) else [contenu]:
            valeurs = element if isinstance(element, dict) else {"": element}
            lignes.append(f"{section} : " + ", ".join(f"{nom} {valeur}".strip() for nom, valeur in valeurs.items()))
    return "\n".join(lignes)
