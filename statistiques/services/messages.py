"""Compter les messages que la mémoire vient de faire entrer, dans sa transaction (ST-02, ST-05, ST-07)."""

from collections.abc import Iterable
from datetime import datetime

from horizon.services.reconnaissance import CompteConnu
from statistiques.services.rangement import Observee, ranger


def compter_messages(entres: Iterable[tuple[CompteConnu, str, datetime]]) -> None:
    """Compte des messages neufs de Personnes : suite de (compte sous verrou, plateforme, émis le). Une requête au plus.

    Seules les Identités revendiquées sont observées. Le message est oublié aussitôt : ni son identifiant ni son espace
    n'arrivent jusqu'ici, donc sa suppression ou son expiration ne peut rien défaire.
    """
    ranger(
        [
            Observee(compte.identite, plateforme, "message", emis_le)
            for compte, plateforme, emis_le in entres
            if compte.identite is not None and compte.revendiquee
        ]
    )
