"""Identités et comptes : qui parle, sans jamais deviner que deux comptes sont la même Personne."""

import uuid
from datetime import timedelta

from django.db import models
from django.db.models.functions import Lower

from horizon.noyau.motifs import PLATEFORMES


class Identite(models.Model):
    """La Personne derrière un ou plusieurs comptes (ID-01). Son identifiant, tiré au sort, ne dit ni date ni rang."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    revendiquee_le = models.DateTimeField("revendiquée le", null=True, blank=True)
    epoque = models.PositiveIntegerField("époque", default=0, help_text="Augmente à chaque oubli ou fusion.")
    creee_le = models.DateTimeField("créée le")

    class Meta:
        verbose_name = "identité"

    def __str__(self) -> str:
        return f"identité {self.pk}"


class Compte(models.Model):
    """Un compte sur une plateforme. Seule une Personne a une Identité : ni bot, ni P.O.U.B.E.L.L.E. (ID-10)."""

    class Nature(models.TextChoices):
        PERSONNE = "personne", "Personne"
        POUBELLE = "poubelle", "P.O.U.B.E.L.L.E."
        BOT = "bot", "Bot"

    plateforme = models.CharField(max_length=8, choices=[(p, p) for p in PLATEFORMES])
    externe_id = models.CharField("identifiant externe", max_length=128)
    nature = models.CharField(max_length=8, choices=Nature.choices, default=Nature.PERSONNE)
    identite = models.ForeignKey(Identite, null=True, blank=True, on_delete=models.CASCADE, related_name="comptes")
    pseudonyme = models.CharField(max_length=100, blank=True)
    pseudonyme_vu_le = models.DateTimeField("pseudonyme vu le", null=True, blank=True)
    derniere_interaction = models.DateTimeField("dernière interaction", null=True, blank=True)
    avis_remis_le = models.DateTimeField("avis remis le", null=True, blank=True)
    avis_duree = models.DurationField("durée annoncée", null=True, blank=True)
    oublie_avant = models.DateTimeField(
        "oublié avant",
        null=True,
        blank=True,
        help_text="Dernier oubli total : rien d’émis avant n’entre plus en mémoire.",
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("plateforme", "externe_id"),
                name="compte_unique",
                violation_error_message="Ce compte appartient déjà à une Identité.",
            ),
            models.CheckConstraint(
                condition=models.Q(nature="personne", identite__isnull=False)
                | (models.Q(identite__isnull=True) & ~models.Q(nature="personne")),
                name="compte_personne_a_identite",
                violation_error_message="Seule une Personne a une Identité.",
            ),
            models.CheckConstraint(condition=models.Q(plateforme__in=PLATEFORMES), name="compte_plateforme_connue"),
            models.CheckConstraint(
                condition=models.Q(nature__in=("personne", "poubelle", "bot")), name="compte_nature_connue"
            ),
            models.CheckConstraint(
                condition=models.Q(avis_remis_le__isnull=True, avis_duree__isnull=True)
                | models.Q(avis_remis_le__isnull=False, avis_duree__isnull=False, avis_duree__gt=timedelta(0)),
                name="compte_avis_complet",
            ),
        )
        indexes = (
            models.Index(fields=("plateforme",), name="compte_non_personne", condition=~models.Q(nature="personne")),
            models.Index(fields=("derniere_interaction",), name="compte_par_interaction"),
            models.Index(Lower("pseudonyme"), name="compte_par_pseudonyme"),
        )

    def __str__(self) -> str:
        return f"compte {self.plateforme} {self.pk}"


class AncienPseudonyme(models.Model):
    """Pseudonyme remplacé, gardé le temps de le masquer dans ce qui fut écrit avant (ID-05)."""

    compte = models.ForeignKey(Compte, on_delete=models.CASCADE, related_name="anciens_pseudonymes")
    pseudonyme = models.CharField(max_length=100)
    remplace_le = models.DateTimeField("remplacé le")

    class Meta:
        verbose_name = "ancien pseudonyme"

    def __str__(self) -> str:
        return f"ancien pseudonyme {self.pk}"


class Pause(models.Model):
    """Suspension de mémorisation voulue par la Personne : partout (`partout`) ou dans un espace nommé (ID-09).

    Deux colonnes plutôt qu'un espace nul : une liste vide ne peut pas vouloir dire « partout » par accident.
    """

    identite = models.ForeignKey(Identite, on_delete=models.CASCADE, related_name="pauses")
    partout = models.BooleanField(default=False)
    espace = models.ForeignKey("horizon.Espace", null=True, blank=True, on_delete=models.CASCADE, related_name="pauses")
    depuis = models.DateTimeField()

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=models.Q(partout=True, espace__isnull=True) | models.Q(partout=False, espace__isnull=False),
                name="pause_partout_ou_espace",
                violation_error_message="Une pause vise tout, ou un espace nommé.",
            ),
            models.UniqueConstraint(fields=("identite", "espace"), nulls_distinct=False, name="pause_unique"),
        )

    def __str__(self) -> str:
        return f"pause {self.pk}"
