"""Mémoire à court terme : interactions individuelles, barrières d'effacement, comptes d'entrées sans contenu."""

from django.db import models

from horizon.models import Compte, Espace
from horizon.noyau.motifs import PLATEFORMES

FINALITE = "continuite"
"""La seule finalité d'une interaction (NO-07)."""


class Interaction(models.Model):
    """Un message gardé au plus 24 h, ou la pierre tombale d'un message supprimé.

    Le message et sa pierre tombale partagent la même ligne, donc le même index unique : un message qui arrive pendant
    sa suppression attend celle-ci et ne peut pas renaître (CT-06). `compte` est toujours celui de la Personne, même
    quand c'est P.O.U.B.E.L.L.E. qui parle (`auteur`, et `auteur_externe` : lequel de ses comptes). Une ligne
    `remplacee` refuse l'ancien texte d'un message modifié avant d'arriver, sans rien dire de ses réponses. Sans clé
    étrangère en base : la table est chaude.
    """

    class Etat(models.TextChoices):
        VIVANTE = "vivante", "Vivante"
        SUPPRIMEE = "supprimee", "Supprimée"
        REMPLACEE = "remplacee", "Remplacée avant d’arriver"

    class Auteur(models.TextChoices):
        PERSONNE = "personne", "Personne"
        POUBELLE = "poubelle", "P.O.U.B.E.L.L.E."

    plateforme = models.CharField(max_length=8)
    message_id = models.CharField("identifiant du message", max_length=128)
    etat = models.CharField("état", max_length=9, choices=Etat.choices, default=Etat.VIVANTE)
    espace = models.ForeignKey(
        Espace, null=True, db_constraint=False, db_index=False, on_delete=models.DO_NOTHING, related_name="+"
    )
    compte = models.ForeignKey(
        Compte, null=True, db_constraint=False, db_index=False, on_delete=models.DO_NOTHING, related_name="+"
    )
    auteur = models.CharField(max_length=8, choices=Auteur.choices, null=True)
    auteur_externe = models.CharField("compte de P.O.U.B.E.L.L.E.", max_length=128, null=True)
    visibilite = models.CharField("visibilité", max_length=6, choices=Espace.Visibilite.choices, null=True)
    contenu = models.TextField(null=True)
    contexte = models.JSONField(null=True)
    action = models.CharField(max_length=64, null=True)
    resultat = models.CharField("résultat", max_length=200, null=True)
    reponse_a = models.CharField("répond à", max_length=128, null=True)
    finalite = models.CharField("finalité", max_length=20, null=True)
    emis_le = models.DateTimeField("émis le", null=True)
    recu_le = models.DateTimeField("reçu le")
    modifie_le = models.DateTimeField("modifié le", null=True)
    expire_a = models.DateTimeField("expire à")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("plateforme", "message_id"), name="interaction_unique"),
            models.CheckConstraint(
                name="interaction_entiere",
                # Une comparaison avec NULL n'est pas un refus pour la base : chaque champ exigé l'est deux fois.
                condition=models.Q(
                    etat="vivante",
                    auteur__isnull=False,
                    visibilite__isnull=False,
                    finalite__isnull=False,
                    espace__isnull=False,
                    compte__isnull=False,
                    auteur__in=("personne", "poubelle"),
                    visibilite__in=("public", "prive"),
                    contenu__isnull=False,
                    emis_le__isnull=False,
                    finalite__in=[FINALITE],
                )
                | models.Q(
                    etat__in=("supprimee", "remplacee"),
                    auteur_externe__isnull=True,
                    espace__isnull=True,
                    compte__isnull=True,
                    auteur__isnull=True,
                    contenu__isnull=True,
                    contexte__isnull=True,
                    action__isnull=True,
                    resultat__isnull=True,
                    reponse_a__isnull=True,
                    emis_le__isnull=True,
                ),
            ),
            models.CheckConstraint(
                name="interaction_24_h",
                condition=~models.Q(etat="vivante")
                | models.Q(expire_a__lte=models.F("recu_le") + models.Value("24:00:00", models.DurationField())),
            ),
            models.CheckConstraint(
                condition=models.Q(plateforme__in=PLATEFORMES), name="interaction_plateforme_connue"
            ),
        )
        indexes = (
            models.Index(
                fields=("compte", "espace", "emis_le"), name="interaction_recents", condition=models.Q(etat="vivante")
            ),
            models.Index(
                fields=("espace", "emis_le"), name="interaction_par_espace", condition=models.Q(etat="vivante")
            ),
            models.Index(
                fields=("plateforme", "reponse_a"), name="interaction_reponses", condition=models.Q(auteur="poubelle")
            ),
            models.Index(fields=("expire_a",), name="interaction_expiration"),
        )

    def __str__(self) -> str:
        return f"interaction {self.pk}"


class Barriere(models.Model):
    """Effacement daté d'un espace (`auteur` vide) ou d'un auteur : rien d'émis avant `jusqu_a` n'entre."""

    espace = models.ForeignKey(Espace, on_delete=models.CASCADE, related_name="+")
    auteur = models.CharField("identifiant externe de l’auteur", max_length=128, blank=True)
    jusqu_a = models.DateTimeField("jusqu’à")
    expire_a = models.DateTimeField("expire à", db_index=True)

    class Meta:
        verbose_name = "barrière"
        constraints = (models.UniqueConstraint(fields=("espace", "auteur"), name="barriere_unique"),)

    def __str__(self) -> str:
        return f"barrière {self.pk}"


class CompteurEntree(models.Model):
    """Ce qui est entré ou fut exclu, par heure et par motif : ni contenu, ni auteur.

    L'ingestion ne fait qu'ajouter des lignes (deux lots ne s'attendent jamais) ; la passe d'expiration les regroupe.
    """

    heure = models.DateTimeField()
    plateforme = models.CharField(max_length=8)
    espace = models.ForeignKey(Espace, null=True, on_delete=models.CASCADE, related_name="+")
    statut = models.CharField(max_length=9)
    motif = models.CharField(max_length=24, blank=True)
    nombre = models.PositiveIntegerField()
    dernier = models.DateTimeField("dernière entrée")

    class Meta:
        verbose_name = "compteur d’entrées"
        verbose_name_plural = "compteurs d’entrées"
        indexes = (models.Index(fields=("heure", "plateforme"), name="compteur_par_heure"),)

    def __str__(self) -> str:
        return f"compteur {self.pk}"
