"""Moteur de base Django : PostgreSQL embarqué, démarré à la première connexion."""
