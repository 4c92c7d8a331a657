"""Directs : noter leurs bornes, quel que soit l'ordre d'arrivée, et dire quand l'un d'eux a commencé (ST-02)."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from django.db import connection

from horizon.noyau.evenements import Champ, Direct, Resultat
from horizon.participants import Entree
from horizon.services.reconnaissance import Reconnus
from statistiques.noyau.mesures import MESURES
from statistiques.noyau.tri import RETENUE, Issue, motif_du_lieu, quand

CleDeDirect = tuple[int, str]
"""(espace, identifiant du direct)."""
Bornes = tuple[datetime | None, datetime | None]


def connaitre(cles: Iterable[CleDeDirect], *, ecrire: set[int]) -> dict[CleDeDirect, Bornes]:
    """Bornes des directs déjà connus. `ecrire` : espaces dont un direct va changer ; deux lots y passent l'un après
    l'autre, jusqu'à la fin de leur transaction."""
    tries = sorted(set(cles))
    if not tries:
        return {}
    with connection.cursor() as curseur:
        if ecrire:
            curseur.execute(
                "SELECT FROM horizon_espace WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE", [sorted(ecrire)]
            )
        curseur.execute(
            """SELECT d.espace_id, d.identifiant, d.debut, d.fin FROM statistiques_direct d
               JOIN unnest(%s::bigint[], %s::text[]) AS v(s, i) ON d.espace_id = v.s AND d.identifiant = v.i""",
            [list(colonne) for colonne in zip(*tries, strict=True)],
        )
        return {(espace, identifiant): (debut, fin) for espace, identifiant, debut, fin in curseur.fetchall()}


def noter(
    entrees: Sequence[Entree], connus: Reconnus, bornes: dict[CleDeDirect, Bornes], maintenant: datetime
) -> dict[int, Resultat]:
    """Un résultat par direct annoncé : `compte` s'il apprend quelque chose, `ignore` sinon. Tient `bornes` à jour."""
    resultats, changes = {}, set[CleDeDirect]()
    for entree in entrees:
        direct = entree.evenement
        assert isinstance(direct, Direct)
        statut, motif = _juger(direct, connus, maintenant)
        if statut == "compte":
            cle = (connus.lieux[direct.plateforme, direct.espace.id][0], direct.id)
            avant = bornes.get(cle, (None, None))
            apres = (_borne(min, avant[0], direct.debut), _borne(max, avant[1], direct.fin))
            if apres == avant:
                statut = "ignore"
            else:
                bornes[cle] = apres
                changes.add(cle)
        champs = [Champ("debut", "forme")] if statut == "invalide" else []
        resultats[entree.rang] = Resultat(id=direct.id, statut=statut, motif=motif, champs=champs)  # type: ignore[arg-type]
    _enregistrer(sorted(changes), bornes)
    return resultats


def _juger(direct: Direct, connus: Reconnus, maintenant: datetime) -> Issue:
    annonces = [t for t in (direct.debut, direct.fin) if t is not None]
    if not annonces or annonces[0] > annonces[-1]:
        return "invalide", "forme"
    if direct.plateforme not in MESURES["arrivee"]:
        return "ignore", None
    lieu = connus.lieux.get((direct.plateforme, direct.espace.id))
    if motif := motif_du_lieu(lieu[1] if lieu else None):
        return "exclu", motif
    issue = quand(annonces, maintenant)
    # Un direct commencé hors de la fenêtre et fini dedans a encore pu accueillir une arrivée qui compte.
    return RETENUE if issue == ("ignore", None) and quand(annonces[-1:], maintenant) == RETENUE else issue


def _borne(
    choisir: Callable[[list[datetime]], datetime], connue: datetime | None, annoncee: datetime | None
) -> datetime | None:
    presentes = [t for t in (connue, annoncee) if t is not None]
    return choisir(presentes) if presentes else None


def _enregistrer(cles: list[CleDeDirect], bornes: dict[CleDeDirect, Bornes]) -> None:
    if not cles:
        return
    lignes = [(espace, identifiant, *bornes[espace, identifiant]) for espace, identifiant in cles]
    with connection.cursor() as curseur:
        curseur.execute(
            """INSERT INTO statistiques_direct AS d (espace_id, identifiant, debut, fin)
               SELECT * FROM unnest(%s::bigint[], %s::text[], %s::timestamptz[], %s::timestamptz[])
               ON CONFLICT (espace_id, identifiant) DO UPDATE SET debut = LEAST(d.debut, EXCLUDED.debut),
                   fin = GREATEST(d.fin, EXCLUDED.fin)""",
            [list(colonne) for colonne in zip(*lignes, strict=True)],
        )
