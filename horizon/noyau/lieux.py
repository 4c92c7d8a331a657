"""Ce que le serveur sait d'un espace au moment de juger un événement. Python pur."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LieuConnu:
    """Un espace connu ; `interlocuteur` : identifiant externe de la Personne d'un échange privé."""

    visibilite: str
    configuration: str
    ferme: bool = False
    interlocuteur: str | None = None
    fil_prive: bool = False
