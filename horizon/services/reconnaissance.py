"""Reconnaître les comptes et les espaces d'un lot : lus et verrouillés en un nombre constant de requêtes.

Ordre des verrous, le même pour tous : comptes triés (`FOR KEY SHARE`), leurs Identités triées (`FOR KEY SHARE`), puis
espaces triés (`FOR KEY SHARE`, ou `FOR UPDATE` si le lot efface). Une revendication, une fusion ou un oubli, qui les
prennent `FOR UPDATE`, attendent donc la fin du lot, ou le lot les attend et lit ce qu'ils ont laissé.
"""

from dataclasses import dataclass, field, replace
from datetime import timedelta
from uuid import UUID

from django.db import connection

from horizon.models import Pause
from horizon.noyau.lieux import LieuConnu
from horizon.services.identites import Cle


@dataclass(frozen=True, slots=True)
class CompteConnu:
    """Un compte existant ; `revendiquee` : son Identité l'est."""

    id: int
    nature: str
    identite: UUID | None
    avis_duree: timedelta | None
    revendiquee: bool = False


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
        lus = _verrouiller_comptes(sorted(cles))
        identites = {c.identite for c in lus.values() if c.identite}
        revendiquees = _verrouiller_identites(sorted(identites))
        # Une Identité absorbée pendant l'attente n'est plus : ses comptes en ont une autre.
        if identites == revendiquees.keys():
            break
    for cle, compte in lus.items():
        revendiquee = compte.identite is not None and revendiquees[compte.identite]
        connus.comptes[cle] = replace(compte, revendiquee=revendiquee)
    connus.pauses |= set(Pause.objects.filter(identite_id__in=identites).values_list("identite_id", "espace_id"))


def _verrouiller_comptes(cles: list[Cle]) -> dict[Cle, CompteConnu]:
    with connection.cursor() as curseur:
        curseur.execute(
            """SELECT c.plateforme, c.externe_id, c.id, c.nature, c.identite_id, c.avis_duree FROM horizon_compte c
               JOIN unnest(%s::text[], %s::text[]) AS v(p, e) ON c.plateforme = v.p AND c.externe_id = v.e
               ORDER BY c.id FOR KEY SHARE OF c""",
            [[p for p, _ in cles], [e for _, e in cles]],
        )
        return {(p, e): CompteConnu(*reste) for p, e, *reste in curseur.fetchall()}


def _verrouiller_identites(identites: list[UUID]) -> dict[UUID, bool]:
    """Verrouille des Identités ; rend, pour celles qui existent encore, si elles sont revendiquées.

    Une requête à part : jointe à la lecture des comptes, elle jugerait sur l'état d'avant l'attente de leur verrou.
    """
    with connection.cursor() as curseur:
        curseur.execute(
            "SELECT id, revendiquee_le IS NOT NULL FROM horizon_identite WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE",
            [identites],
        )
        return dict(curseur.fetchall())


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
    with connection.cursor() as curseur:
        curseur.execute(
            f"""SELECT s.plateforme, s.externe_id, s.id, {_REGIME}, c.externe_id,
                 s.parent_externe <> '' AND s.visibilite = 'prive'
               FROM horizon_espace s JOIN unnest(%s::text[], %s::text[]) AS v(p, e)
                 ON s.plateforme = v.p AND s.externe_id = v.e
               LEFT JOIN LATERAL (SELECT visibilite, configuration, ferme_le FROM horizon_espace
                   WHERE plateforme = s.plateforme AND externe_id = s.parent_externe FOR KEY SHARE) p ON TRUE
               LEFT JOIN horizon_compte c ON c.id = s.interlocuteur_id ORDER BY s.id {verrou}""",  # noqa: S608 — textes fixes
            [[p for p, _ in tries], [e for _, e in tries]],
        )
        for plateforme, externe, pk, *reste in curseur.fetchall():
            connus.lieux[plateforme, externe] = (pk, LieuConnu(*reste))
