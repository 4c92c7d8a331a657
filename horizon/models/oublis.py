"""Oublis prononcés : ce que les bots doivent purger de leurs copies, et ce qu'une restauration devra rejouer."""

from django.db import models

from horizon.noyau.motifs import PLATEFORMES
from horizon.noyau.oublis import NATURES


class Oubli(models.Model):
    """Un oubli, vu d'un compte : une ligne par compte touché, sans contenu (DR-02, DR-11).

    `acte` réunit les lignes d'un même oubli dans le registre ; il n'est jamais rendu à un bot, car il dirait que deux
    comptes sont la même Personne ; de même, `dit_le` diffère d'un compte à l'autre. `message_id` et `categorie` :
    vides hors de leur nature.
    """

    acte = models.UUIDField(db_index=True)
    plateforme = models.CharField(max_length=8)
    externe_id = models.CharField("identifiant externe du compte", max_length=128)
    nature = models.CharField(max_length=9)
    categorie = models.CharField("catégorie", max_length=12, blank=True)
    message_id = models.CharField("identifiant du message", max_length=128, blank=True)
    le = models.DateTimeField(db_index=True)
    dit_le = models.DateTimeField("dit aux bots le")

    class Meta:
        indexes = (
            models.Index(fields=("dit_le", "id"), name="oubli_par_curseur"),
            models.Index(fields=("externe_id", "plateforme"), name="oubli_par_compte"),
        )
        constraints = (
            models.UniqueConstraint(fields=("acte", "plateforme", "externe_id"), name="oubli_dit_une_fois"),
            models.CheckConstraint(condition=models.Q(nature__in=NATURES), name="oubli_nature_connue"),
            models.CheckConstraint(condition=models.Q(plateforme__in=PLATEFORMES), name="oubli_plateforme_connue"),
        )

    def __str__(self) -> str:
        return f"oubli {self.pk}"


class JetonServi(models.Model):
    """Empreinte d'un jeton d'oubli déjà consommé : un jeton ne sert qu'une fois."""

    empreinte = models.CharField(max_length=64, primary_key=True)
    expire_a = models.DateTimeField("expire à", db_index=True)

    class Meta:
        verbose_name = "jeton servi"
        verbose_name_plural = "jetons servis"

    def __str__(self) -> str:
        return "jeton servi"
