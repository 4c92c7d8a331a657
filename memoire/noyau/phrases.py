"""Ce que lisent les Super administrateurs : origines et effets du Noyau, en mots. Python pur."""

from memoire.noyau.categories import Origine

ORIGINES = {
    Origine.DEMANDE.value: "Demande de la Personne",
    Origine.PROPOSITION.value: "Proposition de P.O.U.B.E.L.L.E.",
    Origine.REGLE.value: "Règle d’événement",
    Origine.SA.value: "Super administrateur",
    "correction": "Correction par la Personne",
    "observation": "Observation",
    "hypothese": "Hypothèse sur l’instant",
}
"""D'où vient ce que le Noyau a jugé. Les trois dernières ne sont pas des origines de souvenir."""

EFFETS = {
    "accepte": ("Écrit", "Le souvenir est enregistré, à la place de celui qui s’y trouvait."),
    "remplace": ("Remplacé", "Une contradiction répétée a donné un nouveau souvenir."),
    "validation_requise": ("En attente d’accord", "Rien n’est retenu avant l’accord demandé."),
    "renforce": ("Renforcé", "Une concordance augmente la confiance, sans toucher au texte."),
    "affaibli": ("Affaibli", "Une contradiction baisse la confiance ; le texte reste."),
    "conserve": ("Conservé", "Le souvenir présent l’emporte ; rien ne change."),
    "deja_vu": ("Déjà compté", "La même source s’est répétée : sans effet."),
    "refuse": ("Refusé", "Rien n’est retenu."),
}
"""Effet d'une décision : son mot, et ce qu'il fait."""
