from django.apps import AppConfig


class Horizon(AppConfig):
    """Fondations : identités, espaces, bots, paramètres, audit, API et pages communes."""

    name = "horizon"
    verbose_name = "Fondations"

    def ready(self) -> None:
        from horizon import participants
        from horizon.participant import Fondations

        participants.inscrire(Fondations())
