"""`charger_demo [--si-vide] [--base URL]` : (re)charge la communauté de démonstration, datée de maintenant."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.timezone import now

from horizon.demo import chargement, equipage
from horizon.demo.communaute import Communaute, lire
from horizon.management.base import Commande


class Command(Commande):
    help = "Charge la communauté de démonstration, et imprime des accès neufs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--si-vide",
            action="store_true",
            help="ne rien faire, sans erreur, sur une base qui porte de vraies données",
        )
        parser.add_argument(
            "--base", metavar="URL", help="adresse d’un Poste déjà servi (sinon servi le temps du chargement)"
        )

    def agir(self, *, si_vide: bool, base: str | None, **_: Any) -> str:
        etat = equipage.etat_de_la_base()
        if etat == "reelle":
            if si_vide:
                return ""
            raise CommandError("Cette base porte de vraies données : la démonstration ne s’y mêle pas.")
        communaute = lire()
        # Les accès d'abord : ils marquent la base, et un chargement interrompu pourra être repris.
        acces = equipage.ouvrir_les_acces(communaute.mots)
        if not (si_vide and equipage.charge_depuis(now() - chargement.FRAICHEUR)):
            self._charger(communaute, base)
        equipage.relier_le_membre(communaute)
        return "\n".join(_accueil(acces, equipage.ouvrir_les_passerelles()))

    def _charger(self, communaute: Communaute, base: str | None) -> None:
        bilan = chargement.charger(communaute, base)
        self.stdout.write(
            f"Communauté de démonstration chargée : {len(communaute.personnes)} personnes, "
            f"{bilan.gardes} messages gardés, {bilan.ecartes} écartés."
        )
        for ecart in bilan.ecarts:
            self.stderr.write(f"Traité autrement que prévu : {ecart}")


def _accueil(acces: list[equipage.Acces], cles: dict[str, str]) -> list[str]:
    """Les lignes à montrer : accès puis clés, en colonnes."""
    noms = max(len(nom) for nom in (*(a.nom for a in acces), *cles))
    roles = max(len(a.role) for a in acces)
    return [
        "",
        "Accès de démonstration (mots de passe neufs à chaque lancement) :",
        *(f"  {a.nom:<{noms}}  {a.role:<{roles}}  {a.mot_de_passe}" for a in acces),
        "",
        "Clés des bots de démonstration (neuves, montrées une seule fois) :",
        *(f"  {nom:<{noms}}  {cle}" for nom, cle in cles.items()),
        "",
    ]
