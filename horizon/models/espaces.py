"""Espaces : les lieux de conversation que le Capitaine a rendus mémorisables, ou non."""

from django.db import models

from horizon.noyau.motifs import PLATEFORMES


class Espace(models.Model):
    """Un chat Twitch, un salon Discord, un message privé, une page web.

    `configuration` : `inconnu` (créé au passage d'un effacement ou d'un échange privé), `memorise`, `retire`.
    """

    class Visibilite(models.TextChoices):
        PUBLIC = "public", "Public"
        PRIVE = "prive", "Privé"

    class Configuration(models.TextChoices):
        INCONNU = "inconnu", "Non configuré"
        MEMORISE = "memorise", "Mémorisé"
        RETIRE = "retire", "Retiré"

    plateforme = models.CharField(max_length=8, choices=[(p, p) for p in PLATEFORMES])
    externe_id = models.CharField("identifiant externe", max_length=128)
    nom = models.CharField(max_length=100, blank=True)
    parent_externe = models.CharField(
        "salon d’un fil",
        max_length=128,
        blank=True,
        help_text="Identifiant du salon où un fil est né ; sans configuration propre, le fil suit son salon.",
    )
    visibilite = models.CharField("visibilité", max_length=6, choices=Visibilite.choices)
    configuration = models.CharField(max_length=8, choices=Configuration.choices, default=Configuration.INCONNU)
    ferme_le = models.DateTimeField("fermé le", null=True, blank=True)
    interlocuteur = models.ForeignKey(
        "horizon.Compte",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Seule Personne présente dans un échange privé.",
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("plateforme", "externe_id"), name="espace_unique"),
            models.CheckConstraint(condition=models.Q(plateforme__in=PLATEFORMES), name="espace_plateforme_connue"),
            models.CheckConstraint(
                condition=models.Q(visibilite__in=("public", "prive")), name="espace_visibilite_connue"
            ),
            models.CheckConstraint(
                condition=models.Q(configuration__in=("inconnu", "memorise", "retire")),
                name="espace_configuration_connue",
            ),
        )

    def __str__(self) -> str:
        return f"espace {self.plateforme} {self.pk}"
