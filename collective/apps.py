from django.apps import AppConfig


class Collective(AppConfig):
    name = "collective"
