"""Classification des champs de la mémoire."""

from horizon.classification import Table, classes

CLASSIFICATION: Table = {
    "memoire.Interaction": classes(
        identifiants="message_id compte reponse_a",
        contenus="contenu contexte action resultat",
        techniques="id plateforme etat espace auteur auteur_externe visibilite "
        "finalite emis_le recu_le modifie_le expire_a",
    ),
    "memoire.Barriere": classes(identifiants="auteur", techniques="id espace jusqu_a expire_a"),
    "memoire.Souvenir": classes(
        identifiants="identite",
        contenus="contenu",
        techniques="id categorie finalite origine visibilite plateformes confiance contradictions sources "
        "enregistre_le gele_le garde",
    ),
    "memoire.Proposition": classes(
        identifiants="identite",
        contenus="contenu",
        techniques="id epoque plateforme categorie corrige finalite origine fiabilite visibilite valide_par sensible "
        "regle jeton creee_le expire_a",
    ),
    "memoire.Hypothese": classes(
        identifiants="compte", contenus="texte", techniques="id espace visibilite finalite creee_le expire_a"
    ),
    "memoire.Source": classes(
        identifiants="message_id", techniques="id souvenir proposition hypothese plateforme expire_a"
    ),
    "memoire.Temoin": classes(identifiants="identite empreinte", techniques="id categorie vu_le"),
    "memoire.VerrouOubli": classes(identifiants="identite", techniques="id categorie avant"),
    "memoire.LibelleCategorie": classes(techniques="code libelle version"),
    "memoire.DecisionNoyau": classes(techniques="id heure origine categorie effet motif nombre"),
    "memoire.CompteurEntree": classes(techniques="id heure plateforme espace statut motif nombre dernier"),
}
