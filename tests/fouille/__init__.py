"""Fouiller toute la base : chaque ligne de chaque table, en texte."""

from django.db import connection


def tout_le_texte() -> str:
    """Le contenu de toutes les tables de la base d'essais, bout à bout."""
    with connection.cursor() as curseur:
        curseur.execute("SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public'")
        tables = [nom for (nom,) in curseur.fetchall()]
        textes = []
        for table in tables:
            curseur.execute(f"SELECT string_agg(t::text, E'\\n') FROM {table} AS t")
            textes.append(curseur.fetchone()[0] or "")
    return "\n".join(textes)
