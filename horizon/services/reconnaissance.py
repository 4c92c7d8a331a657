"""Reconnaître les comptes et les espaces d'un lot : lus et verrouillés en un nombre constant de requêtes.

Ordre des verrous, le même pour tous : comptes triés (`FOR KEY SHARE`), leurs Identités triées (`FOR KEY SHARE`), puis
espaces triés (`FOR KEY SHARE`, ou `FOR UPDATE` si le lot efface). Une revendication, une fusion ou un oubli, qui les
prennent `FOR UPDATE`, attendent donc la fin du lot, ou le lot les attend et lit ce qu'ils ont laissé.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from msgspec import Struct

from horizon.binaire import executer
from horizon.noyau.lieux import LieuConnu
from horizon.services.identites import Cle


class CompteConnu(Struct, frozen=True):
    """Un compte existant ; `revendiquee` : son Identité l'est."""

    id: int
    identite: UUID | None
    revendiquee: bool
    nature: str
    avis_duree: timedelta | None
    pseudonyme: str
    derniere_interaction: datetime | None
    oublie_avant: datetime | None

    def a_oublie(self, instant: datetime) -> bool:
        """Vrai si la Personne a demandé l'oubli de tout ce qui précède cet instant (DR-03)."""
        return self.oublie_avant is not None and instant <= self.oublie_avant


@dataclass(slots=True)
class Reconnus:
    """Comptes, espaces et pauses d'un lot, sous verrou jusqu'à la fin de la transaction."""

    comptes: dict[Cle, CompteConnu] = field(default_factory=dict)
    lieux: dict[Cle, tuple[int, LieuConnu]] = field(default_factory=dict)
    pauses: set[tuple[UUID, int | None]] = field(default_factory=set)

    def en_pause(self, compte: CompteConnu | None, espace_id: int | None) -> bool:
        """Vrai si la Personne a suspendu sa mémorisation partout ou ici."""
        if compte is None or compte.identite is None:
            return False
        return (compte.identite, None) in self.pauses or (
            espace_id is not None and (compte.identite, espace_id) in self.pauses
        )


def ajouter_comptes(connus: Reconnus, cles: set[Cle]) -> None:
    """Lit et verrouille les comptes existants parmi `cles`, leurs Identités, et les pauses de celles-ci."""
    if not cles:
        return
    while True:
        lus = _verrouiller_comptes(list(cles))
        identites = {identite for _, identite, *_ in lus if identite}
        revendiquees = _verrouiller_identites(list(identites))
        # Une Identité absorbée pendant l'attente n'est plus : ses comptes en ont une autre.
        if identites == revendiquees.keys():
            break
    for pk, identite, plateforme, externe, *reste in lus:
        connus.comptes[plateforme, externe] = CompteConnu(pk, identite, revendiquees.get(identite, False), *reste)
    connus.pauses |= set(
        executer("SELECT identite_id, espace_id FROM horizon_pause WHERE identite_id = ANY(%b)", list(identites))
    )


def _verrouiller_comptes(cles: list[Cle]) -> list[tuple[Any, ...]]:
    """Par ligne : compte, Identité, plateforme, identifiant externe, et la suite d'un `CompteConnu`."""
    return executer(
        """SELECT c.id, c.identite_id, c.plateforme, c.externe_id, c.nature, c.avis_duree, c.pseudonyme,
             c.derniere_interaction, c.oublie_avant
           FROM horizon_compte c
           JOIN unnest(%b::text[], %b::text[]) AS v(p, e) ON c.plateforme = v.p AND c.externe_id = v.e
           ORDER BY c.id FOR KEY SHARE OF c""",
        [p for p, _ in cles],
        [e for _, e in cles],
    )


def _verrouiller_identites(identites: list[UUID]) -> dict[UUID, bool]:
    """Verrouille des Identités ; rend, pour celles qui existent encore, si elles sont revendiquées.

    Une requête à part : jointe à la lecture des comptes, elle jugerait sur l'état d'avant l'attente de leur verrou.
    """
    return dict(
        executer(
            "SELECT id, revendiquee_le IS NOT NULL FROM horizon_identite WHERE id = ANY(%b) ORDER BY id FOR KEY SHARE",
            identites,
        )
    )


_REGIME = """CASE WHEN p.visibilite = 'prive' THEN 'prive' ELSE s.visibilite END,
    CASE WHEN s.configuration = 'inconnu' THEN COALESCE(p.configuration, 'inconnu') ELSE s.configuration END,
    s.ferme_le IS NOT NULL OR p.ferme_le IS NOT NULL"""
"""Régime d'un espace `s` ; un fil que personne n'a configuré suit son salon `p`, et le plus strict des deux."""


def lire_lieux(connus: Reconnus, cles: set[Cle], *, ecrire: bool) -> None:
    """Lit et verrouille les espaces existants parmi `cles`."""
    if not cles:
        return
    tries = sorted(cles)
    verrou = "FOR UPDATE OF s" if ecrire else "FOR KEY SHARE OF s"
    lignes = executer(
        f"""SELECT s.plateforme, s.externe_id, s.id, {_REGIME}, c.externe_id,
             s.parent_externe <> '' AND s.visibilite = 'prive'
           FROM horizon_espace s JOIN unnest(%b::text[], %b::text[]) AS v(p, e)
             ON s.plateforme = v.p AND s.externe_id = v.e
           LEFT JOIN LATERAL (SELECT visibilite, configuration, ferme_le FROM horizon_espace
               WHERE plateforme = s.plateforme AND externe_id = s.parent_externe FOR KEY SHARE) p ON TRUE
           LEFT JOIN horizon_compte c ON c.id = s.interlocuteur_id ORDER BY s.id {verrou}""",  # noqa: S608 — textes fixes
        [p for p, _ in tries],
        [e for _, e in tries],
    )
    for plateforme, externe, pk, *reste in lignes:
        connus.lieux[plateforme, externe] = (pk, LieuConnu(*reste))
