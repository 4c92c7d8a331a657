"""Classification de tous les champs : ce qu'un oubli, une copie ou une fusion devra couvrir (SR-01).

Chaque app tient sa table dans `classification.py` ; celle-ci porte les fondations et les bibliothèques. Un champ qui
n'y est pas casse la suite d'essais.
"""

from enum import Enum
from importlib import import_module
from importlib.util import find_spec

from django.apps import apps


class Classe(Enum):
    """Nature d'un champ. Seul `TECHNIQUE` ne dit rien d'une Personne."""

    IDENTIFIANT = "identifiant"
    CONTENU = "contenu"
    DONNEE_ACTUELLE = "donnee_actuelle"
    TECHNIQUE = "technique"


Table = dict[str, dict[str, Classe]]


def classes(
    *, identifiants: str = "", contenus: str = "", actuelles: str = "", techniques: str = ""
) -> dict[str, Classe]:
    """Table d'un modèle, chaque classe donnée comme une suite de noms de champs."""
    groupes = (
        (identifiants, Classe.IDENTIFIANT),
        (contenus, Classe.CONTENU),
        (actuelles, Classe.DONNEE_ACTUELLE),
        (techniques, Classe.TECHNIQUE),
    )
    return {nom: classe for noms, classe in groupes for nom in noms.split()}


CLASSIFICATION: Table = {
    "horizon.Utilisateur": classes(
        identifiants="nom identite", techniques="id password last_login role is_active demonstration cree_le"
    ),
    "horizon.Identite": classes(identifiants="id", actuelles="revendiquee_le", techniques="epoque creee_le"),
    "horizon.Compte": classes(
        identifiants="externe_id identite pseudonyme",
        actuelles="derniere_interaction avis_remis_le avis_duree oublie_avant",
        techniques="id plateforme nature pseudonyme_vu_le",
    ),
    "horizon.AncienPseudonyme": classes(identifiants="compte pseudonyme", techniques="id remplace_le"),
    "horizon.Pause": classes(identifiants="identite", actuelles="partout espace depuis", techniques="id"),
    "horizon.Espace": classes(
        identifiants="interlocuteur externe_id",
        techniques="id plateforme nom parent_externe visibilite configuration ferme_le",
    ),
    "horizon.Bot": classes(
        techniques="id nom prefixe empreinte portees plateformes cree_le expire_le revoque_le dernier_usage"
    ),
    "horizon.ReponseGardee": classes(techniques="id bot cle corps statut reponse expire_a"),
    "horizon.Livraison": classes(techniques="cle expire_a"),
    "horizon.Oubli": classes(
        identifiants="externe_id message_id acte", techniques="id plateforme nature categorie le dit_le"
    ),
    "horizon.JetonServi": classes(techniques="empreinte expire_a"),
    "horizon.Parametre": classes(techniques="cle valeur version"),
    "horizon.ChangementParametre": classes(techniques="id cle ancienne nouvelle change_le par"),
    "horizon.Battement": classes(techniques="nom vu_le"),
    "horizon.Trace": classes(
        identifiants="acteur_id objet_id",
        techniques="id quand acteur_nature action objet_nature finalite motif",
    ),
}

# Bibliothèques : techniques, sauf ce qui désigne quelqu'un ou peut garder un texte.
BIBLIOTHEQUES: Table = {
    "sessions.Session": classes(identifiants="session_data"),
    "admin.LogEntry": classes(identifiants="user object_repr", contenus="change_message"),
    "account.EmailAddress": classes(identifiants="user email"),
    "account.EmailConfirmation": classes(identifiants="email_address"),
    "mfa.Authenticator": classes(identifiants="user"),
    "socialaccount.SocialAccount": classes(identifiants="user uid", contenus="extra_data"),
    "socialaccount.SocialToken": classes(identifiants="account"),
}
APPS_TECHNIQUES = frozenset(
    {
        "account",
        "admin",
        "auth",
        "contenttypes",
        "django_celery_beat",
        "mfa",
        "sessions",
        "sites",
        "socialaccount",
    }
)
NOTRES = ("horizon", "statistiques", "memoire", "collective")


def table() -> Table:
    """La classification complète, toutes apps comprises."""
    complete: Table = {}
    for app in NOTRES:
        if find_spec(f"{app}.classification"):
            complete |= import_module(f"{app}.classification").CLASSIFICATION
    return complete | _des_bibliotheques()


def _des_bibliotheques() -> Table:
    rendue: Table = {}
    for modele in apps.get_models(include_auto_created=True):
        if modele._meta.app_label in APPS_TECHNIQUES:
            champs = {f.name: Classe.TECHNIQUE for f in modele._meta.concrete_fields}
            rendue[modele._meta.label] = champs | BIBLIOTHEQUES.get(modele._meta.label, {})
    return rendue
