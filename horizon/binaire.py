"""Requêtes de la voie chaude : paramètres et résultats binaires, plan préparé une fois par connexion.

Le curseur de Django compose la requête en texte côté client : sur un lot, écrire et relire les tableaux coûte plus que
la base elle-même. Celui-ci passe par la même connexion, donc par la même transaction et les mêmes verrous.
"""

import time
from typing import Any

import psycopg
from django.db import connection


def executer(requete: str, *valeurs: Any) -> list[tuple[Any, ...]]:
    """Exécute une requête à marques `%b` ; rend ses lignes (aucune si elle n'en rend pas).

    Les erreurs sont celles de `django.db`. Visible du journal des requêtes, donc de leur compte dans les essais.
    """
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    debut = time.monotonic()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as curseur:
        curseur.execute(requete, valeurs, binary=True)
        lignes = curseur.fetchall() if curseur.description else []
    if connection.queries_logged:
        connection.queries_log.append({"sql": requete, "time": f"{time.monotonic() - debut:.3f}"})
    return lignes
