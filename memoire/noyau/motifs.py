"""Motifs stables du Noyau de la mémoire longue, et la phrase que lit la Personne. Jamais le texte soumis (LT-05)."""

REFUS = {
    "non_revendiquee": "Cette Personne n’a pas revendiqué son Identité : rien de durable n’est retenu d’elle.",
    "pause": "Cette Personne a suspendu sa mémorisation.",
    "espace_ferme": "Le Capitaine a fermé cet espace : rien de ce qui s’y dit n’est retenu.",
    "categorie_inconnue": "Cette catégorie n’existe pas.",
    "origine_non_admise": "Cette catégorie n’accueille pas ce qui vient de là.",
    "sensible": "Ce texte touche à une donnée sensible : elle n’est jamais retenue, même sur demande.",
    "vide": "Il n’y a rien de lisible à retenir.",
    "trop_long": "Un souvenir tient en 280 caractères.",
    "donnee_globale": "Un niveau, un grade ou un score est une donnée actuelle, pas un souvenir.",
    "recopie": "Un souvenir résume : il ne recopie pas un message.",
    "source_supprimee": "Le message invoqué a été supprimé.",
    "source_d_autrui": "Un message invoqué n’est pas de cette Personne.",
    "source_absente": "Une proposition se fonde sur des messages encore en mémoire.",
    "oublie": "La Personne a demandé d’oublier cela : des messages antérieurs ne peuvent pas le recréer.",
    "gele": "Ce souvenir est contesté : il attend une décision.",
    "fiabilite_insuffisante": "Cette proposition n’est pas assez fiable.",
    "observations_insuffisantes": "Cette catégorie demande plusieurs observations distinctes.",
    "aucun_souvenir": "Il n’y a pas de souvenir dans cette catégorie.",
    "diagnostic": "Une hypothèse ne porte ni diagnostic ni donnée sensible.",
}
