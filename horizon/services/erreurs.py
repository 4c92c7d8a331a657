"""Erreurs de domaine : un code stable et une phrase en français, jamais la donnée reçue."""


class Refus(Exception):
    """Demande bien formée que les règles refusent. `code` stable, `message` lisible, `statut` HTTP conseillé."""

    def __init__(self, code: str, message: str, statut: int = 422) -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.statut = statut


class Conflit(Refus):
    """L'état a changé depuis que l'appelant l'a lu."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message, 409)
