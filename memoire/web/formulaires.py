"""Formulaires de la mémoire : lire et borner ce qui est saisi. Les règles restent dans les services."""

from django import forms

from horizon.noyau.motifs import CONSULTATIONS
from memoire.noyau.categories import CATEGORIES
from memoire.noyau.phrases import ORIGINES
from memoire.selectors.decisions import PERIODES, Critere

PERIODES_EN_CLAIR = {"24h": "24 dernières heures", "7j": "7 derniers jours"}


class FormulaireLibelle(forms.Form):
    """Le libellé voulu et la version lue."""

    libelle = forms.CharField(
        max_length=200, strip=False, error_messages={"required": "Écrire un libellé, ou rétablir celui d’origine."}
    )
    version = forms.IntegerField(min_value=0, max_value=2**31 - 1)


class FormulaireDecisions(forms.Form):
    """Critères des décisions du Noyau ; tous facultatifs."""

    periode = forms.ChoiceField(choices=[(p, PERIODES_EN_CLAIR[p]) for p in PERIODES], required=False)
    origine = forms.ChoiceField(choices=[("", "Toutes"), *ORIGINES.items()], required=False)
    categorie = forms.ChoiceField(choices=[("", "Toutes"), *((c, c) for c in CATEGORIES)], required=False)

    def critere(self) -> Critere:
        """Le critère demandé (à n'appeler qu'une fois le formulaire valide)."""
        donnees = self.cleaned_data
        return Critere(donnees["periode"] or "24h", donnees["origine"], donnees["categorie"])


class FormulaireConsultation(forms.Form):
    """La finalité pour laquelle un texte est lu : choisie, jamais supposée."""

    finalite = forms.ChoiceField(
        choices=[("", "Choisir…"), *CONSULTATIONS.items()],
        error_messages={"required": "Choisir une finalité.", "invalid_choice": "Choisir une finalité de la liste."},
    )
