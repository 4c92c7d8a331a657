from django.apps import AppConfig


class Memoire(AppConfig):
    """Mémoire personnelle : le court terme, et ce qui s'y accrochera."""

    name = "memoire"
    verbose_name = "Mémoire"

    def ready(self) -> None:
        from horizon import participants
        from memoire.participant import Memoire as Participante

        participants.inscrire(Participante())
