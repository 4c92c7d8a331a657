"""Directs : quand une chaîne émet. Un état de lieu, rien d'une Personne."""

from django.db import models

from horizon.models import Espace


class Direct(models.Model):
    """Un direct et ses bornes annoncées : le premier début et la dernière fin, dans quelque ordre qu'ils arrivent.

    Une fin antérieure au début n'est pas refusée : un début plus ancien peut encore arriver. Qui lit la tient pour
    inconnue.
    """

    espace = models.ForeignKey(Espace, on_delete=models.CASCADE, db_index=False, related_name="+")
    identifiant = models.CharField(max_length=128)
    debut = models.DateTimeField("début", null=True)
    fin = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("espace", "identifiant"), name="direct_unique"),
            models.CheckConstraint(
                condition=models.Q(debut__isnull=False) | models.Q(fin__isnull=False), name="direct_borne"
            ),
        )

    def __str__(self) -> str:
        return f"direct {self.pk}"
