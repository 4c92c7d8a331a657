"""Comptes du Poste de commande : ceux qui ouvrent un navigateur. Un bot n'en est jamais un."""

from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower
from django.utils.timezone import now


class Role(models.TextChoices):
    """Rôles d'un compte du Poste (ID-06)."""

    CAPITAINE = "capitaine", "Capitaine"
    SA = "sa", "Super administrateur"
    MEMBRE = "membre", "Membre"


ROLES_DE_CONDUITE = frozenset({Role.CAPITAINE, Role.SA})


class Comptes(BaseUserManager["Utilisateur"]):
    """Gestionnaire : retrouver un compte par son nom, sans tenir compte de la casse."""

    def get_by_natural_key(self, username: str | None) -> "Utilisateur":
        return self.get(nom__iexact=username)


class Utilisateur(AbstractBaseUser):
    """Un compte du Poste : un nom de connexion, un rôle, au plus une Identité."""

    nom = models.CharField("nom de connexion", max_length=60)
    role = models.CharField("rôle", max_length=12, choices=Role.choices, default=Role.MEMBRE)
    is_active = models.BooleanField("actif", default=True)
    demonstration = models.BooleanField("démonstration", default=False, editable=False)
    cree_le = models.DateTimeField("créé le", default=now, editable=False)
    identite = models.ForeignKey(
        "horizon.Identite", verbose_name="identité", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    objects = Comptes()
    USERNAME_FIELD = "nom"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = "compte du Poste"
        verbose_name_plural = "comptes du Poste"
        constraints = (
            models.UniqueConstraint(
                Lower("nom"),
                name="utilisateur_nom_unique",
                violation_error_message="Ce nom de connexion est déjà pris.",
            ),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="utilisateur_role_connu"),
        )

    def __str__(self) -> str:
        return f"compte {self.pk}"

    @property
    def conduit(self) -> bool:
        """Vrai pour le Capitaine et les Super administrateurs."""
        return self.role in ROLES_DE_CONDUITE

    @property
    def is_staff(self) -> bool:
        """Accès à l'administration technique : Super administrateurs seulement."""
        return self.role == Role.SA

    def has_perm(self, perm: str, obj: object = None) -> bool:
        return self.is_active and self.is_staff

    def has_module_perms(self, app_label: str) -> bool:
        return self.is_active and self.is_staff
