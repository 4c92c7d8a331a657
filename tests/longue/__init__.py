"""Essais de la mémoire longue : par l’API, comme un bot."""
