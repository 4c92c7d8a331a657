"""Vocabulaires fermés rendus par l'API et comptés au tableau de bord : un code stable, une phrase en français.

Python pur. Les codes sont ceux du contrat public ; les phrases sont celles des pages et des messages d'erreur.
"""

PLATEFORMES = ("twitch", "discord", "web")

EXCLUSIONS = {
    "commande": "Commande adressée à un bot",
    "bot": "Message d’un autre bot",
    "webhook": "Message posté par un webhook",
    "annonce": "Annonce ou message de diffusion",
    "systeme": "Message du système",
    "vide": "Rien de lisible",
    "autre_chaine": "Conversation partagée venue d’une autre chaîne",
    "anonyme": "Compte fictif partagé",
    "citation": "Texte d’autrui, cité ou transféré",
    "fil_prive": "Fil privé",
    "espace_non_configure": "Espace non configuré",
    "espace_ferme": "Espace fermé par le Capitaine",
    "groupe_prive": "Conversation privée à plusieurs",
    "prive_sans_poubelle": "Conversation privée sans P.O.U.B.E.L.L.E.",
    "non_etiquete": "Message de P.O.U.B.E.L.L.E. non étiqueté",
    "pause": "La Personne a suspendu sa mémorisation",
    "supprime_avant": "Supprimé sur la plateforme avant d’arriver",
    "expire": "Arrivé après son expiration",
    "avis_requis": "La Personne n’a pas encore reçu l’avis",
    "futur": "Daté de plus de cinq minutes dans le futur",
}

STATUTS = {
    "memorise": "Mémorisés",
    "exclu": "Exclus",
    "doublon": "Doublons",
    "modifie": "Modifiés",
    "supprime": "Retirés",
    "ignore": "Sans effet",
    "compte": "Comptés",
    "invalide": "Invalides",
}

FINALITES = {
    "continuite": "Comprendre la situation immédiate et répondre sans faire répéter.",
    "personnalisation": "Se souvenir de ce qu’une Personne a choisi de laisser, pour lui parler comme à elle.",
    "statistiques": "Mesurer la participation d’une Personne reconnue, sans rien garder de ce qu’elle dit.",
}
"""Finalités admises d'une information mémorisée (NO-07). Chaque modèle n'admet que la sienne."""

CONSULTATIONS = {
    "acces": "Accès",
    "correction": "Correction",
    "effacement": "Effacement",
    "securite": "Sécurité",
    "anomalie": "Anomalie",
}
"""Finalités pour lesquelles un humain lit une valeur interne : liste fermée (DR-07, DR-14)."""

COMPTES_FICTIFS = frozenset({("discord", "456226577798135808"), ("twitch", "274598607")})
"""Identifiants que la plateforme partage entre plusieurs humains : compte supprimé, donateur anonyme (ID-10)."""
