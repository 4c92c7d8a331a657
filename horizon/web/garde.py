"""Essai du garde : une phrase, la décision, la règle, la vue. Rien n'est gardé, rien n'est journalisé (SE-04)."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from horizon.noyau.sensibilite import LIBELLES, LONGUEUR_MAXIMALE, VERSION, Avis, Sensible, Verdict, examiner
from horizon.web.acces import echange
from horizon.web.formulaires import FormulaireEssai

DECISIONS = {Verdict.ADMIS: "Admis", Verdict.VIGILANCE: "Vigilance", Verdict.REFUS: "Refus"}
CONSEQUENCES = {
    Verdict.ADMIS: "Cette phrase pourrait devenir un souvenir.",
    Verdict.VIGILANCE: "La Personne devrait confirmer, par un jeton à usage unique.",
    Verdict.REFUS: "Cette phrase ne deviendra jamais un souvenir, même sur demande explicite.",
}
COUCHES = {
    "modele": "Modèle linéaire",
    "sans_preuve": "Rien d’inoffensif reconnu",
    "faute": "Mot sensible mal orthographié",
    "cadre": "Cadre de fiction, jugé aussi sans lui",
    "autrui": "Information sur une autre personne",
    "longueur": f"Plus de {LONGUEUR_MAXIMALE} signes : refusé sans analyse",
}
VUES = {
    "brute": "le texte tel qu’écrit, sans caractère invisible",
    "plate": "le texte sans accents, homoglyphes ni majuscules",
    "collee": "les lettres espacées, réunies",
    "leet": "les chiffres lus comme des lettres",
    "verlan": "le verlan remis à l’endroit",
    "faute": "le texte à une faute près",
    "demasquee": "le texte entier, démasqué",
}


@sensitive_post_parameters("texte")
@require_http_methods(["GET", "HEAD", "POST"])
def essai(request: HttpRequest) -> HttpResponse:
    """La phrase vient dans le corps, jamais dans l'URL, et ne revient que dans le champ de saisie."""
    formulaire = FormulaireEssai(request.POST) if request.method == "POST" else None
    avis = None
    if formulaire is not None and formulaire.is_valid():
        avis = examiner(formulaire.cleaned_data["texte"])
    statut = 422 if formulaire is not None and avis is None else 200
    contexte = {"form": formulaire, "avis": _en_clair(avis) if avis else None, "version": VERSION}
    gabarit = "horizon/_garde.html" if echange(request) else "horizon/garde.html"
    return render(request, gabarit, contexte, status=statut)


def _en_clair(avis: Avis) -> dict[str, str]:
    consequence = CONSEQUENCES[avis.decision]
    if avis.soupcon_de_refus:
        consequence = "Née d’un soupçon de refus : la Personne seule ne peut pas la valider."
    return {
        "decision": DECISIONS[avis.decision],
        "code": str(avis.decision),
        "consequence": consequence,
        "categorie": LIBELLES[Sensible(avis.categorie)] if avis.categorie else "",
        "regle": COUCHES.get(avis.regle, avis.regle),
        "vue": VUES.get(avis.vue, ""),
    }
