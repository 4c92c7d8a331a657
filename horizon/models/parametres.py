"""Paramètres modifiables et signes de vie des traitements."""

from django.db import models


class Parametre(models.Model):
    """Valeur choisie pour un paramètre déclaré dans le code ; absente, la valeur initiale s'applique."""

    cle = models.CharField("clé", max_length=40, primary_key=True)
    valeur = models.IntegerField()
    version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = "paramètre"

    def __str__(self) -> str:
        return f"paramètre {self.cle}"


class ChangementParametre(models.Model):
    """Historique d'un paramètre : qui, quand, de combien à combien."""

    cle = models.CharField("clé", max_length=40, db_index=True)
    ancienne = models.IntegerField()
    nouvelle = models.IntegerField()
    change_le = models.DateTimeField("changé le")
    par = models.ForeignKey("horizon.Utilisateur", null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        verbose_name = "changement de paramètre"

    def __str__(self) -> str:
        return f"changement {self.pk}"


class Battement(models.Model):
    """Dernier passage d'un traitement périodique : la boucle d'expiration, le worker, beat."""

    nom = models.CharField(max_length=20, primary_key=True)
    vu_le = models.DateTimeField("vu le")

    def __str__(self) -> str:
        return f"battement {self.nom}"
