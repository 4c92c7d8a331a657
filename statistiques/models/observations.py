"""Observations : ce qu'une Personne reconnue a fait et quand, jamais ce qu'elle a dit ni où."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.expressions import RawSQL

from horizon.models import Identite
from statistiques.noyau.mesures import A_REPERE, FINALITE, MESURES


def _mesures_par_plateforme() -> models.Q:
    permis = models.Q()
    for plateforme in sorted({p for plateformes in MESURES.values() for p in plateformes}):
        codes = [mesure for mesure, plateformes in MESURES.items() if plateforme in plateformes]
        permis |= models.Q(plateforme=plateforme, mesure__in=codes)
    return permis


class Observation(models.Model):
    """Les instants d'une mesure, pour une Identité, sur une plateforme, un jour (UTC).

    Une ligne par jour plutôt que par instant : l'en-tête d'une ligne et son entrée d'index coûtent vingt fois un
    instant. Ni identifiant de message ni espace : rien n'y renvoie à ce qui fut dit (ST-05). `reperes` suit
    `instants` case à case pour les mesures qui ont un second instant.
    """

    pk = models.CompositePrimaryKey("identite", "plateforme", "mesure", "jour")
    identite = models.ForeignKey(Identite, on_delete=models.CASCADE, db_index=False, related_name="observations")
    plateforme = models.CharField(max_length=8)
    mesure = models.CharField(max_length=12)
    jour = models.DateField()
    finalite = models.CharField("finalité", max_length=20)
    instants = ArrayField(models.DateTimeField())
    reperes = ArrayField(models.DateTimeField(null=True), null=True, verbose_name="repères")

    class Meta:
        constraints = (
            models.CheckConstraint(condition=_mesures_par_plateforme(), name="observation_mesure_connue"),
            models.CheckConstraint(condition=models.Q(finalite__in=[FINALITE]), name="observation_finalite"),
            models.CheckConstraint(condition=models.Q(instants__len__gt=0), name="observation_non_vide"),
            models.CheckConstraint(
                name="observation_du_jour",
                condition=RawSQL(
                    "(jour::timestamp AT TIME ZONE 'UTC') <= ALL (instants)"
                    " AND ((jour + 1)::timestamp AT TIME ZONE 'UTC') > ALL (instants)",
                    (),
                    output_field=models.BooleanField(),
                ),
            ),
            models.CheckConstraint(
                name="observation_reperes",
                condition=models.Q(mesure__in=A_REPERE, reperes__isnull=False, reperes__len=models.F("instants__len"))
                | (~models.Q(mesure__in=A_REPERE) & models.Q(reperes__isnull=True)),
            ),
        )
        indexes = (models.Index(fields=("jour",), name="observation_par_jour"),)

    def __str__(self) -> str:
        return f"observation de {self.identite_id}"


class Marque(models.Model):
    """Ce qui ne compte qu'une fois a déjà compté : empreinte à clé d'un événement chez son auteur.

    L'empreinte tient même si l'événement revient avec un autre instant, un autre jour ; elle ne se relit pas et part
    avec son observation.
    """

    pk = models.CompositePrimaryKey("identite", "empreinte")
    identite = models.ForeignKey(Identite, on_delete=models.CASCADE, db_index=False, related_name="+")
    empreinte = models.BigIntegerField()
    instant = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=("instant",), name="marque_par_instant"),)

    def __str__(self) -> str:
        return f"marque de {self.identite_id}"
