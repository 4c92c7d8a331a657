"""L'équipage des essais : Ada et Bilal parlent, P.O.U.B.E.L.L.E. répond, un bot transmet, le temps obéit.

`Banc` parle à l'application par son API publique, comme un vrai bot ; il ne touche jamais aux tables.
"""

import itertools
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.test import Client
from django.utils.timezone import now

from horizon.models import Bot
from horizon.noyau.decision import EXPLOITATION
from horizon.services import bots, espaces

ADA, BILAL, POUBELLE = "77", "88", "poubelle-1"
SALON = {"id": "900100", "visibilite": "public"}
PRIVE = {"id": "dm-ada", "visibilite": "prive", "participants": [ADA, "poubelle"]}
_numeros = itertools.count(1)


def iso(instant: datetime) -> str:
    """Instant RFC 3339 en UTC."""
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")


def message(contenu: str = "bonsoir", **champs: Any) -> dict[str, Any]:
    """Un message d'Ada dans le salon public, émis maintenant ; chaque champ se remplace par son nom."""
    base = {
        "type": "message",
        "id": f"m{next(_numeros)}",
        "plateforme": "twitch",
        "espace": SALON,
        "auteur": {"id": ADA, "pseudonyme": "Ada", "nature": "personne"},
        "nature": "conversation",
        "contenu": contenu,
        "emis_le": iso(now()),
        "reponse_a": None,
    }
    return base | champs


def reponse(contenu: str, a: str | None, **champs: Any) -> dict[str, Any]:
    """Une réponse conversationnelle de P.O.U.B.E.L.L.E. à Ada."""
    auteur = {"id": POUBELLE, "pseudonyme": "P.O.U.B.E.L.L.E.", "nature": "poubelle"}
    return message(contenu, auteur=auteur, interlocuteur={"id": ADA}, reponse_a=a, **champs)


@dataclass
class Banc:
    """Un bot et sa clé."""

    cle: str
    bot: Bot
    client: Client = field(default_factory=Client)

    def poster(self, chemin: str, corps: Any, **entetes: str) -> Any:
        """POST JSON (ou octets bruts) sur l'API ; rend la réponse."""
        donnees = corps if isinstance(corps, bytes) else json.dumps(corps).encode()
        return self.client.post(
            f"/api/v1/{chemin}",
            donnees,
            content_type="application/json",
            headers={"Authorization": f"Bearer {self.cle}", **entetes},
        )

    def envoyer(self, *evenements: dict[str, Any]) -> list[dict[str, Any]]:
        """Envoie un lot et rend ses résultats."""
        reponse = self.poster("evenements/", {"evenements": list(evenements)})
        assert reponse.status_code == 200, reponse.content
        return reponse.json()["resultats"]

    def un(self, evenement: dict[str, Any]) -> dict[str, Any]:
        """Envoie un seul événement et rend son résultat."""
        return self.envoyer(evenement)[0]

    def contexte(self, qui: str = ADA, espace: dict[str, Any] | None = None, **champs: Any) -> dict[str, Any]:
        """Contexte demandé pour une Personne dans un espace (le salon public par défaut)."""
        lieu = {k: v for k, v in (espace or SALON).items() if k != "participants"}
        plateforme = champs.pop("plateforme", "twitch")
        corps = {
            "destination": {"plateforme": plateforme, "espace": lieu},
            "interlocuteur": {"id": qui},
            "budget_tokens": 4000,
            "prestataire": "local",
        }
        reponse = self.poster("contexte/", corps | champs)
        assert reponse.status_code == 200, reponse.content
        return reponse.json()

    def dits(self, qui: str = ADA, espace: dict[str, Any] | None = None, **champs: Any) -> list[str]:
        """Textes récents du contexte, du plus ancien au plus récent."""
        return [r["contenu"] for r in self.contexte(qui, espace, **champs)["recent"]]

    def remettre_avis(self, qui: str = ADA, espace: dict[str, Any] | None = None) -> None:
        """Obtient l'avis de première interaction privée et atteste sa remise."""
        lieu = espace or PRIVE
        resultat = self.un(message("coucou", espace=lieu, auteur={"id": qui, "pseudonyme": "Ada"}))
        assert resultat["motif"] == "avis_requis", resultat
        assert self.poster("avis/remise/", {"jeton": resultat["avis"]["jeton"]}).status_code == 200


def creer_banc(
    nom: str = "essai", plateformes: tuple[str, ...] = ("twitch", "discord", "web"), portees: Any = None
) -> Banc:
    """Un bot neuf, toutes portées par défaut."""
    from horizon.models.bots import PORTEES

    bot, cle = bots.creer(
        nom=nom, plateformes=plateformes, portees=portees or PORTEES, par=EXPLOITATION, maintenant=now()
    )
    return Banc(cle, bot)


def configurer_salon(externe_id: str = "900100", plateforme: str = "twitch", visibilite: str = "public") -> None:
    """Rend un espace mémorisable."""
    espaces.configurer(
        plateforme=plateforme, externe_id=externe_id, visibilite=visibilite, par=EXPLOITATION, maintenant=now()
    )


def il_y_a(**duree: float) -> str:
    """Instant RFC 3339 passé (`il_y_a(hours=2)`)."""
    return iso(now() - timedelta(**duree))
