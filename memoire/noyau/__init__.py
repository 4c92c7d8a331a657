"""Règles pures de la mémoire : ni Django, ni base, ni réseau."""
