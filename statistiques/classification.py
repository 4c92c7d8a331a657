"""Classification des champs des statistiques : des faits datés sur une Personne, aucun contenu."""

from horizon.classification import Table, classes

CLASSIFICATION: Table = {
    "statistiques.Observation": classes(
        identifiants="identite", actuelles="plateforme mesure jour instants reperes", techniques="finalite"
    ),
    "statistiques.Marque": classes(identifiants="identite empreinte", actuelles="instant"),
    "statistiques.Direct": classes(techniques="id espace identifiant debut fin"),
}
