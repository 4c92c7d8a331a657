"""Trace d'audit : qui, quoi, quand, pour quelle finalité ; jamais un contenu (DR-08)."""

import pgtrigger
from django.db import models


class Action(models.TextChoices):
    """Vocabulaire fermé des actes tracés."""

    BOT_CREE = "bot_cree", "Bot créé"
    BOT_REVOQUE = "bot_revoque", "Clé de bot révoquée"
    ESPACE_CONFIGURE = "espace_configure", "Espace configuré"
    ESPACE_RETIRE = "espace_retire", "Espace retiré"
    ESPACE_FERME = "espace_ferme", "Espace fermé"
    ESPACE_ROUVERT = "espace_rouvert", "Espace rouvert"
    COMPTE_CONFIGURE = "compte_configure", "Compte de plateforme déclaré"
    REVENDICATION = "revendication", "Identité revendiquée"
    LIAISON = "liaison", "Compte lié à une Identité"
    ACCES_CREE = "acces_cree", "Accès au Poste créé"
    PARAMETRE_CHANGE = "parametre_change", "Paramètre changé"
    AVIS_REMIS = "avis_remis", "Avis remis"
    PAUSE = "pause", "Mémorisation suspendue"
    REPRISE = "reprise", "Mémorisation reprise"
    SOUVENIR_ECRIT = "souvenir_ecrit", "Souvenir enregistré"
    SOUVENIR_CORRIGE = "souvenir_corrige", "Souvenir corrigé"
    SOUVENIR_GELE = "souvenir_gele", "Souvenir gelé"
    SOUVENIR_RETIRE = "souvenir_retire", "Souvenir retiré par une nouvelle règle"
    VIGILANCE_CONSULTEE = "vigilance_consultee", "Vigilance consultée"
    VIGILANCE_TRANCHEE = "vigilance_tranchee", "Vigilance tranchée"
    LIBELLE_CHANGE = "libelle_change", "Libellé de catégorie changé"
    OUBLI_DEMANDE = "oubli_demande", "Oubli demandé"
    OUBLI = "oubli", "Oubli"
    OUBLI_REJOUE = "oubli_rejoue", "Oubli rejoué après restauration"
    ABONNEMENT_REVOQUE = "abonnement_revoque", "Abonnement révoqué par la plateforme"


class Trace(models.Model):
    """Une ligne d'audit. Sans clé étrangère : elle survit à ce qu'elle décrit. Ajout seul, garanti par la base."""

    quand = models.DateTimeField(db_index=True)
    acteur_nature = models.CharField("nature de l’acteur", max_length=12)
    acteur_id = models.CharField("acteur", max_length=40, blank=True)
    action = models.CharField(max_length=24, choices=Action.choices)
    objet_nature = models.CharField("nature de l’objet", max_length=20)
    objet_id = models.CharField("objet", max_length=40)
    finalite = models.CharField("finalité", max_length=40, blank=True)
    motif = models.CharField(max_length=120, blank=True, help_text="Code, ou motif écrit par l’exploitation.")

    class Meta:
        constraints = (
            models.CheckConstraint(condition=models.Q(action__in=Action.values), name="trace_action_connue"),
        )
        triggers = (
            pgtrigger.Protect(name="ajout_seul", operation=pgtrigger.Update | pgtrigger.Delete),
            pgtrigger.Trigger(
                name="pas_de_vidage",
                level=pgtrigger.Statement,
                when=pgtrigger.Before,
                operation=pgtrigger.Truncate,
                func="RAISE EXCEPTION 'Le journal d''audit ne se vide pas.';",
            ),
        )

    def __str__(self) -> str:
        return f"trace {self.pk}"
