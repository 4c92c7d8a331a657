"""Banc de mesure : l'ingestion, le contexte et l'expiration, chacun rapporté à ce que PostgreSQL sait faire au même
instant sur la même machine. Tout se passe dans une base à lui, dans un dossier effacé à la fin."""
