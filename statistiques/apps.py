from django.apps import AppConfig


class Statistiques(AppConfig):
    """Statistiques : observations sans contenu d'une fenêtre de trois mois."""

    name = "statistiques"
    verbose_name = "Statistiques"

    def ready(self) -> None:
        from horizon import participants
        from statistiques.participant import Statistiques as Participante

        participants.inscrire(Participante())
