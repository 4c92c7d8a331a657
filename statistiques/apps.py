from django.apps import AppConfig


class Statistiques(AppConfig):
    name = "statistiques"
