"""Adresses de l'API de la mémoire longue."""

from django.urls import path

from memoire.api.hypotheses import hypotheses
from memoire.api.souvenirs import accords, demandes_de_correction, souvenirs, souvenirs_observations

urlpatterns = [
    path("souvenirs/", souvenirs, name="souvenirs"),
    path("souvenirs/observations/", souvenirs_observations, name="souvenirs_observations"),
    path("validations/", accords, name="validations"),
    path("corrections/", demandes_de_correction, name="corrections"),
    path("hypotheses/", hypotheses, name="hypotheses"),
]
