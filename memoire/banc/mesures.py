"""Les mesures du banc. Chacune rend un dictionnaire de nombres ; les débits alternent avec leur plafond, tour par tour,
pour que le bruit de la machine pèse autant sur les deux."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from statistics import median, quantiles
from typing import Any

import psycopg
from django.db import connection
from django.utils.timezone import now

from horizon.services import purge
from memoire.banc.clients import Passage, ensemble, envoyer, inserer
from memoire.banc.matiere import ESPACE, Matiere, peupler_interactions
from memoire.models import Interaction

TOURS = 5
CLIENTS = 4
APPELS_DE_LECTURE = 400

Mesure = dict[str, Any]


@dataclass(frozen=True)
class Banc:
    """Où frapper : port du web, clé du bot, accès direct à la base, matière."""

    port: int
    cle: str
    acces: dict[str, Any]
    matiere: Matiere

    def poster(self, lot: int, messages: int) -> Passage:
        """Envoie `messages` messages neufs par lots de `lot`, depuis plusieurs clients."""
        appels = max(1, messages // lot // CLIENTS)
        instant = now()
        return ensemble(
            envoyer,
            [
                (self.port, "evenements/", self.cle, [self.matiere.corps(lot, instant) for _ in range(appels)])
                for _ in range(CLIENTS)
            ],
        )

    def inserer(self, lot: int, messages: int) -> Passage:
        """Le plafond : autant de lignes, sans règle ni HTTP."""
        appels = max(1, messages // lot // CLIENTS)
        instant = now()
        return ensemble(
            inserer,
            [(self.acces, [self.matiere.lignes(lot, instant) for _ in range(appels)]) for _ in range(CLIENTS)],
        )


def ingestion(banc: Banc, messages: int) -> Mesure:
    """Débits par lots de 100 et de 500, message seul, et plafond brut par lots de 100. `messages` : par tour."""
    banc.poster(100, messages)
    tours = [_tour(banc, messages) for _ in range(TOURS)]
    mediane = {cle: round(median(t[cle] for t in tours)) for cle in tours[0]}
    rapports = {
        f"rapport_lots_de_{lot}": round(median(t[f"lots_de_{lot}"] / t["plafond"] for t in tours), 3)
        for lot in (100, 500)
    }
    seuls = banc.poster(1, messages // 10)
    return {
        **mediane,
        **rapports,
        "message_seul": round(seuls.debit(1)),
        "message_seul_p95_ms": _ms(quantiles(seuls.temps, n=20)[-1]),
    }


def _tour(banc: Banc, messages: int) -> dict[str, float]:
    lus = {}
    for nom, passage, lot in (
        ("plafond", banc.inserer(100, 4 * messages), 100),
        ("lots_de_100", banc.poster(100, messages), 100),
        ("lots_de_500", banc.poster(500, 2 * messages), 500),
    ):
        if passage.refus:
            raise RuntimeError(f"{nom} : {passage.refus} appels refusés, la mesure ne vaut rien")
        lus[nom] = passage.debit(lot)
    return lus


def contexte(banc: Banc, interactions: int) -> Mesure:
    """Temps de `contexte/` quand la mémoire tient `interactions` messages."""
    manque = interactions - Interaction.objects.count()
    if manque > 0:
        peupler_interactions(manque, f"fond{interactions}-", now(), now() + timedelta(hours=23))
        with connection.cursor() as curseur:
            curseur.execute("VACUUM ANALYZE memoire_interaction")
    pas = max(1, banc.matiere.identites // APPELS_DE_LECTURE)
    corps = [_demande(str(n * pas % banc.matiere.identites)) for n in range(APPELS_DE_LECTURE)]
    ensemble(envoyer, [(banc.port, "contexte/", banc.cle, corps[:50])])
    temps = ensemble(envoyer, [(banc.port, "contexte/", banc.cle, corps)]).temps
    return {"interactions": interactions, "p50_ms": _ms(median(temps)), "p95_ms": _ms(quantiles(temps, n=20)[-1])}


def _demande(auteur: str) -> bytes:
    return (
        f'{{"destination": {{"plateforme": "twitch", "espace": {{"id": "{ESPACE}", "visibilite": "public"}}}},'
        f' "interlocuteur": {{"id": "{auteur}"}}, "budget_tokens": 1200, "prestataire": "local"}}'
    ).encode()


def expiration(banc: Banc, nombre: int, messages: int) -> Mesure:
    """Efface `nombre` messages expirés d'un bloc, seul puis pendant que d'autres entrent."""
    seule = _expirer(nombre, "seul", lambda: None)
    passages: list[Passage] = []
    ensemble_ = _expirer(nombre, "pendant", lambda: passages.append(banc.poster(100, messages)))
    return {
        "lignes": nombre,
        "lignes_par_s": seule["lignes_par_s"],
        "attente_de_verrou_max_ms": max(seule["attente_ms"], ensemble_["attente_ms"]),
        "lignes_par_s_pendant_l_ingestion": ensemble_["lignes_par_s"],
        "ingestion_pendant_l_expiration": round(passages[0].debit(100)),
        "appel_le_plus_long_ms": _ms(max(passages[0].temps)),
    }


def _expirer(nombre: int, prefixe: str, en_meme_temps: Callable[[], None]) -> Mesure:
    instant = now()
    peupler_interactions(nombre, prefixe, instant - timedelta(hours=25), instant - timedelta(hours=1))
    with _guetter() as guet:
        autre = threading.Thread(target=en_meme_temps)
        autre.start()
        debut = time.monotonic()
        effaces = purge.passer(maintenant=instant, par="commande")
        duree = time.monotonic() - debut
        autre.join()
    if effaces != nombre:
        raise RuntimeError(f"{effaces} effacements au lieu de {nombre} : la mesure ne vaut rien")
    return {"lignes_par_s": round(nombre / duree), "attente_ms": _ms(guet.plus_longue)}


@dataclass
class _Guet:
    """La plus longue attente de verrou vue dans toute la base, en secondes."""

    plus_longue: float = 0.0
    fin: threading.Event = field(default_factory=threading.Event)

    def veiller(self, acces: dict[str, Any]) -> None:
        with psycopg.connect(**acces, autocommit=True) as connexion:
            while not self.fin.wait(0.01):
                ligne = connexion.execute(
                    "SELECT extract(epoch FROM max(clock_timestamp() - waitstart)) FROM pg_locks WHERE NOT granted"
                ).fetchone()
                self.plus_longue = max(self.plus_longue, float((ligne and ligne[0]) or 0))


@contextmanager
def _guetter() -> Iterator[_Guet]:
    guet = _Guet()
    parametres = connection.get_connection_params()
    acces = {cle: parametres[cle] for cle in ("host", "port", "user", "dbname") if cle in parametres}
    fil = threading.Thread(target=guet.veiller, args=(acces,))
    fil.start()
    try:
        yield guet
    finally:
        guet.fin.set()
        fil.join()


def _ms(secondes: float) -> float:
    return round(secondes * 1000, 1)
