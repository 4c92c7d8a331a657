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
    "memoire.CompteurEntree": classes(techniques="id heure plateforme espace statut motif nombre dernier"),
}
