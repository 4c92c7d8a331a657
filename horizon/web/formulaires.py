"""Formulaires : lire et borner ce qui est saisi. Les règles restent dans les services."""

from datetime import date, datetime, time, timedelta

from django import forms
from django.utils import timezone

from horizon.models import Espace
from horizon.models.audit import Action
from horizon.models.bots import PORTEES
from horizon.noyau.motifs import PLATEFORMES
from horizon.noyau.sensibilite import LONGUEUR_MAXIMALE
from horizon.parametres import Definition
from horizon.selectors.traces import NATURES_ACTEUR, Filtre
from horizon.templatetags.poste import PLATEFORMES as NOMS

PORTEES_EN_CLAIR = {
    "evenements": "Envoyer ce qui se dit et les effacements, remettre les avis",
    "contexte": "Demander de quoi répondre à une Personne",
    "souvenirs": "Proposer des souvenirs, observations et hypothèses",
    "droits": "Porter oublis, corrections, accès, autorisations et pauses",
    "globales": "Tenir à jour niveau, grade et progression",
    "collective": "Proposer et lire la mémoire collective",
    "recit": "Tenir les dossiers de personnages",
}
CHOIX_PLATEFORMES = [(p, NOMS[p]) for p in PLATEFORMES]


def debut_de_jour(jour: date) -> datetime:
    """Minuit de ce jour à Paris."""
    return timezone.make_aware(datetime.combine(jour, time.min))


class FormulaireBot(forms.Form):
    """Un bot à créer. `expire_le` devient la fin du jour choisi ; `envoi` : jeton d'envoi unique."""

    nom = forms.CharField(max_length=60)
    plateformes = forms.MultipleChoiceField(choices=CHOIX_PLATEFORMES, widget=forms.CheckboxSelectMultiple)
    portees = forms.MultipleChoiceField(
        choices=[(p, PORTEES_EN_CLAIR[p]) for p in PORTEES], widget=forms.CheckboxSelectMultiple
    )
    expire_le = forms.DateField(required=False)
    envoi = forms.CharField(max_length=64)

    def clean_expire_le(self) -> datetime | None:
        jour = self.cleaned_data["expire_le"]
        return debut_de_jour(jour + timedelta(days=1)) if jour else None


class FormulaireEspace(forms.Form):
    """Un espace à rendre mémorisable, ou à renommer."""

    plateforme = forms.ChoiceField(choices=CHOIX_PLATEFORMES, widget=forms.RadioSelect)
    externe_id = forms.CharField(max_length=128, strip=False)
    nom = forms.CharField(max_length=100, required=False)
    visibilite = forms.ChoiceField(choices=Espace.Visibilite.choices, widget=forms.RadioSelect)


class FormulaireParametre(forms.Form):
    """La valeur voulue, la version lue, et la valeur dont l'effet a été montré (vide : pas encore)."""

    valeur = forms.IntegerField()
    version = forms.IntegerField(min_value=0)
    apercue = forms.IntegerField(required=False)

    def __init__(self, *args: object, definition: Definition, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["valeur"] = forms.IntegerField(min_value=definition.minimum, max_value=definition.maximum)


class FormulaireAudit(forms.Form):
    """Critères du journal d'audit ; les dates sont des jours entiers, bornes comprises."""

    action = forms.ChoiceField(choices=[("", "Toutes"), *Action.choices], required=False)
    acteur = forms.ChoiceField(choices=[("", "Tous"), *NATURES_ACTEUR.items()], required=False)
    du = forms.DateField(required=False)
    au = forms.DateField(required=False)
    avant = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)

    def filtre(self) -> Filtre:
        """Le filtre demandé (à n'appeler qu'une fois le formulaire valide)."""
        donnees = self.cleaned_data
        return Filtre(
            action=donnees["action"],
            acteur=donnees["acteur"],
            depuis=debut_de_jour(donnees["du"]) if donnees["du"] else None,
            jusqu_a=debut_de_jour(donnees["au"] + timedelta(days=1)) if donnees["au"] else None,
            avant=donnees["avant"],
        )


class FormulaireEssai(forms.Form):
    """Une phrase à soumettre au garde. Rognée de rien : les espaces et les invisibles font partie de l'essai."""

    texte = forms.CharField(
        max_length=10 * LONGUEUR_MAXIMALE, strip=False, error_messages={"required": "Écrire une phrase."}
    )
