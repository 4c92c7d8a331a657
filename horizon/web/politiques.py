"""Qui a le droit d'ouvrir quoi : une seule table, refus par défaut (ID-06, SR-03).

Chaque URL est désignée par son nom complet (`view_name`). Une URL absente de la table est refusée à tous, et un essai
engendré depuis le résolveur casse la suite.
"""

from dataclasses import dataclass

from django.urls import ResolverMatch

from horizon.models.utilisateurs import Role

ANONYME = "anonyme"
NUL: frozenset[str] = frozenset()
SA = frozenset({str(Role.SA)})
CONDUITE = frozenset({str(Role.CAPITAINE), str(Role.SA)})
EQUIPAGE = CONDUITE | {str(Role.MEMBRE)}
TOUS = EQUIPAGE | {ANONYME}

LECTURE = frozenset({"GET", "HEAD", "OPTIONS"})
METHODES = LECTURE | {"POST"}
"""Celles qu'une page peut servir ; l'API a les siennes."""


@dataclass(frozen=True, slots=True)
class Politique:
    """Rôles admis en lecture et en écriture.

    `sans_second_facteur` : reste ouverte à qui n'a pas encore activé le sien (sinon il ne pourrait jamais l'activer).
    `par_cle` : l'accès se prouve par une clé de bot, le Poste ne regarde pas la session.
    """

    lecture: frozenset[str] = NUL
    ecriture: frozenset[str] = NUL
    sans_second_facteur: bool = False
    par_cle: bool = False

    def admis(self, methode: str) -> frozenset[str]:
        """Rôles admis pour cette méthode HTTP."""
        return self.lecture if methode in LECTURE else self.ecriture

    def servies(self) -> list[str]:
        """Méthodes HTTP que cette URL sert à quelqu'un."""
        return sorted(m for m in METHODES if self.admis(m))


API = Politique(par_cle=True)
ADMINISTRATION = Politique(lecture=SA)
"""L'administration technique est en lecture seule : aucune écriture, pour personne."""

_PAGE = Politique(lecture=CONDUITE)
_FORMULAIRE = Politique(lecture=CONDUITE, ecriture=CONDUITE)
_RESERVE = Politique(lecture=SA, ecriture=SA)
_ACTE = Politique(ecriture=CONDUITE)
_PUBLIC = Politique(lecture=TOUS, ecriture=TOUS, sans_second_facteur=True)
_COMPTE_LU = Politique(lecture=EQUIPAGE, sans_second_facteur=True)
_COMPTE = Politique(lecture=EQUIPAGE, ecriture=EQUIPAGE, sans_second_facteur=True)

POLITIQUES: dict[str, Politique] = {
    "tableau": Politique(lecture=EQUIPAGE),
    "pouls": Politique(lecture=TOUS),
    "espaces": _PAGE,
    "espace_configurer": _FORMULAIRE,
    "espace_fermer": _ACTE,
    "espace_rouvrir": _ACTE,
    "espace_retirer": _FORMULAIRE,
    "bots": _PAGE,
    "bot_creer": _FORMULAIRE,
    "bot_revoquer": _FORMULAIRE,
    "parametres": _PAGE,
    "parametre": _FORMULAIRE,
    "sante": _PAGE,
    "audit": _PAGE,
    "vigilances": Politique(lecture=SA),
    "vigilance": _RESERVE,
    "categories": Politique(lecture=SA),
    "categorie": _RESERVE,
    "noyau": Politique(lecture=SA),
    "garde": _RESERVE,
    "confidentialite": Politique(lecture=TOUS, sans_second_facteur=True),
    "theme": Politique(ecriture=TOUS, sans_second_facteur=True),
    "account_login": _PUBLIC,
    "account_logout": _PUBLIC,
    "account_inactive": Politique(lecture=TOUS, sans_second_facteur=True),
    "account_reset_password_from_key": _PUBLIC,
    "account_reset_password_from_key_done": Politique(lecture=TOUS, sans_second_facteur=True),
    "account_reauthenticate": _COMPTE,
    "account_change_password": _COMPTE,
    "account_set_password": _COMPTE,
    "mfa_authenticate": _PUBLIC,
    "mfa_reauthenticate": _COMPTE,
    "mfa_index": _COMPTE_LU,
    "mfa_activate_totp": _COMPTE,
    "mfa_deactivate_totp": _COMPTE,
    "mfa_view_recovery_codes": _COMPTE_LU,
    "mfa_generate_recovery_codes": _COMPTE,
    "mfa_download_recovery_codes": _COMPTE_LU,
}


def de(cible: ResolverMatch) -> Politique | None:
    """La politique de l'URL résolue ; None : non déclarée, donc refusée."""
    if "admin" in cible.namespaces:
        return ADMINISTRATION
    if "api" in cible.app_names:
        return API
    return POLITIQUES.get(cible.view_name)
