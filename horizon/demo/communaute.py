"""La communauté écrite dans `communaute.toml`, lue strictement : une coquille s'y voit au chargement."""

import tomllib
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

FICHIER = Path(__file__).with_name("communaute.toml")
POUBELLE = "poubelle"


class Personne(Struct, frozen=True, forbid_unknown_fields=True):
    """Pseudonymes par plateforme. `devient` : pseudonyme pris `devient_a` minutes avant le chargement."""

    twitch: str = ""
    discord: str = ""
    revendiquee: bool = False
    devient: str = ""
    devient_a: float = 0

    def pseudonyme(self, plateforme: str, minutes: float) -> str:
        """Le pseudonyme porté sur cette plateforme, tant de minutes avant le chargement."""
        if self.devient and minutes <= self.devient_a:
            return self.devient
        return self.twitch if plateforme == "twitch" else self.discord

    @property
    def plateformes(self) -> list[str]:
        return [nom for nom, porte in (("twitch", self.twitch), ("discord", self.discord)) if porte]


class Automate(Personne, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Ce qui parle sans être de l'équipage. `id` : identifiant imposé par la plateforme."""

    nature: Literal["poubelle", "bot", "webhook", "systeme", "personne"]
    id: str = ""


class Espace(Struct, frozen=True, forbid_unknown_fields=True):
    """Un lieu ; `participants` en fait un échange privé. `avis` : sa Personne y reçoit l'avis et l'on en atteste."""

    plateforme: str
    nom: str = ""
    configure: bool = True
    participants: list[str] = []
    avis: bool = True
    ferme_a: float | None = None
    retire_a: float | None = None

    @property
    def prive(self) -> bool:
        return bool(self.participants)


class Replique(Struct, frozen=True, forbid_unknown_fields=True):
    """Une réplique, et ce qui lui arrive ensuite ; les champs sont décrits en tête du fichier."""

    de: str
    dit: str
    a: int | None = None
    exclu: str = ""
    nature: Literal["conversation", "commande", "annonce", "systeme", "aucune"] = "conversation"
    devient: str = ""
    supprime: float | None = None
    a_minutes: float | None = None


class Conversation(Struct, frozen=True, forbid_unknown_fields=True):
    """Une suite de répliques dans un espace ; `rythme` en secondes, `debut` en minutes avant le chargement."""

    espace: str
    debut: float
    repliques: list[Replique]
    rythme: float = 45
    direct: bool = False


class Suspension(Struct, frozen=True, forbid_unknown_fields=True):
    """Une Personne suspend sa mémorisation partout."""

    personne: str
    plateforme: str
    a: float


class Purge(Struct, frozen=True, forbid_unknown_fields=True):
    """Tout ce qu'un auteur a dit dans un espace est retiré."""

    auteur: str
    espace: str
    a: float


class Retenu(Struct, frozen=True, forbid_unknown_fields=True):
    """Ce qu'une Personne revendiquée demande de retenir d'elle, dans un espace."""

    personne: str
    espace: str
    categorie: str
    contenu: str


class Communaute(Struct, frozen=True, forbid_unknown_fields=True):
    """Tout le fichier."""

    jeu: str
    mots: list[str]
    personnes: dict[str, Personne]
    automates: dict[str, Automate]
    espaces: dict[str, Espace]
    conversations: list[Conversation]
    pauses: list[Suspension]
    purges: list[Purge]
    souvenirs: list[Retenu]

    def acteur(self, cle: str) -> Personne:
        """Qui parle sous cette clé, Personne ou automate."""
        return self.personnes.get(cle) or self.automates[cle]

    def id_de(self, cle: str) -> str:
        """Identifiant externe, stable d'un chargement à l'autre et reconnaissable : jamais celui d'un vrai compte."""
        automate = self.automates.get(cle)
        return automate.id if automate and automate.id else identifiant(cle)


def identifiant(cle: str) -> str:
    """Identifiant externe tiré d'une clé du fichier."""
    return f"demo-{cle}"


def lire() -> Communaute:
    """La communauté du fichier ; `msgspec.ValidationError` s'il est mal formé."""
    return msgspec.convert(tomllib.loads(FICHIER.read_text(encoding="utf-8")), Communaute)
