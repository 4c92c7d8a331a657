"""Premier lancement : ce qu'il reste à faire, constaté et jamais coché à la main (UX-06)."""

from dataclasses import dataclass

from allauth.mfa.models import Authenticator

from horizon.models import Bot, Espace, Utilisateur


@dataclass(frozen=True, slots=True)
class Etape:
    """Une étape, faite ou non, et l'adresse où la faire (nom d'URL)."""

    libelle: str
    aide: str
    adresse: str
    faite: bool


def etapes(compte: Utilisateur) -> list[Etape]:
    """Les trois étapes, dans l'ordre où les faire."""
    return [
        Etape(
            "Activer votre second facteur",
            "Une application d’authentification, et des codes de secours.",
            "mfa_index",
            Authenticator.objects.filter(user_id=compte.pk, type=Authenticator.Type.TOTP).exists(),
        ),
        Etape(
            "Créer un bot",
            "Sa clé lui permettra d’envoyer ce qui se dit.",
            "bot_creer",
            Bot.objects.filter(revoque_le__isnull=True).exists(),
        ),
        Etape(
            "Configurer un espace",
            "Rien n’est mémorisé hors d’un espace configuré.",
            "espace_configurer",
            Espace.objects.filter(configuration=Espace.Configuration.MEMORISE).exists(),
        ),
    ]
