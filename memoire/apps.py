from django.apps import AppConfig


class Memoire(AppConfig):
    """Mémoire personnelle : le court terme et les souvenirs."""

    name = "memoire"
    verbose_name = "Mémoire"

    def ready(self) -> None:
        from horizon import participants
        from horizon.api.schema import ajouter_formes
        from memoire.noyau import formes
        from memoire.participant import Memoire as Participante

        participants.inscrire(Participante())
        ajouter_formes(*formes.FORMES)
