"""Bots : des clés d'API, jamais des comptes du Poste."""

from django.contrib.postgres.fields import ArrayField
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from horizon.noyau.motifs import PLATEFORMES

PORTEES = ("evenements", "contexte", "souvenirs", "droits", "globales", "collective", "recit")


class Bot(models.Model):
    """Un bot et sa clé : préfixe lisible et empreinte SHA-256, la clé elle-même n'est jamais gardée (SR-05)."""

    nom = models.CharField(max_length=60)
    prefixe = models.CharField("préfixe de clé", max_length=12, unique=True)
    empreinte = models.CharField(max_length=64)
    portees = ArrayField(models.CharField(max_length=12), verbose_name="portées")
    plateformes = ArrayField(models.CharField(max_length=8))
    cree_le = models.DateTimeField("créé le")
    expire_le = models.DateTimeField("expire le", null=True, blank=True)
    revoque_le = models.DateTimeField("révoqué le", null=True, blank=True)
    dernier_usage = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=models.Q(portees__contained_by=list(PORTEES)), name="bot_portees_connues"),
            models.CheckConstraint(
                condition=models.Q(plateformes__contained_by=list(PLATEFORMES)), name="bot_plateformes_connues"
            ),
        )

    def __str__(self) -> str:
        return f"bot {self.pk}"


class Livraison(models.Model):
    """Notification signée déjà traitée : son empreinte, le temps qu'une redélivrance reste recevable."""

    cle = models.CharField("empreinte de la livraison", max_length=64, primary_key=True)
    expire_a = models.DateTimeField("expire à", db_index=True)

    def __str__(self) -> str:
        return f"livraison {self.pk}"


class ReponseGardee(models.Model):
    """Réponse rejouée pour un `Idempotency-Key` déjà vu (24 h), sans contenu ni jeton."""

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+")
    cle = models.CharField("empreinte de la clé", max_length=64)
    corps = models.CharField("empreinte du corps", max_length=64)
    statut = models.PositiveSmallIntegerField(default=0)
    reponse = models.JSONField("réponse", default=dict, encoder=DjangoJSONEncoder)
    expire_a = models.DateTimeField("expire à", db_index=True)

    class Meta:
        verbose_name = "réponse gardée"
        constraints = (models.UniqueConstraint(fields=("bot", "cle"), name="reponse_gardee_unique"),)

    def __str__(self) -> str:
        return f"réponse gardée {self.pk}"
