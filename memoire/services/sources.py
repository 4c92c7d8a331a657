"""Messages dont dépend ce que le Noyau écrit : lus sous verrou, notés, et suivis quand ils disparaissent (CT-16)."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Model

from horizon.binaire import executer
from memoire.models import Hypothese, Proposition
from memoire.models import Source as LigneSource
from memoire.noyau.confiance import PERTE_DE_SOURCE, affaiblir
from memoire.noyau.expiration import VIE_MAXIMALE
from memoire.noyau.souvenirs import Source

Cle = tuple[str, str]
Lues = dict[Cle, tuple[Source, datetime]]
"""Messages invoqués : ce que la mémoire en sait, et leur expiration."""


def lire(cles: Sequence[Cle], identite: UUID, maintenant: datetime) -> Lues:
    """Chaque message invoqué tel que la mémoire le connaît, et son expiration. Verrouillés : leur suppression attendra
    l'écriture, ou l'écriture verra leur pierre tombale."""
    uniques = sorted(set(cles))
    trouvees = executer(
        """SELECT i.plateforme, i.message_id, i.etat, i.contenu, LEAST(i.emis_le, i.recu_le), i.visibilite, i.expire_a,
             i.auteur = 'personne' AND EXISTS (
               SELECT 1 FROM horizon_compte c WHERE c.id = i.compte_id AND c.identite_id = %b)
           FROM memoire_interaction i JOIN unnest(%b::text[], %b::text[]) AS v(p, m)
             ON i.plateforme = v.p AND i.message_id = v.m
           ORDER BY i.id FOR SHARE OF i""",
        identite,
        [p for p, _ in uniques],
        [m for _, m in uniques],
    )
    lues: Lues = {cle: (Source("inconnue"), maintenant) for cle in uniques}
    for plateforme, message_id, etat, contenu, emis_le, visibilite, expire_a, sienne in trouvees:
        if etat == "vivante" and expire_a > maintenant:
            lue = Source("vivante", contenu, emis_le, bool(sienne), visibilite == "prive")
        else:
            lue = Source("inconnue" if etat == "vivante" else "supprimee")
        lues[plateforme, message_id] = (lue, expire_a)
    return lues


def noter(objet: Model, lues: Lues) -> int:
    """Attache à un souvenir, une proposition ou une hypothèse ses sources encore vivantes ; rend leur nombre."""
    vivantes = [(cle, expire_a) for cle, (source, expire_a) in lues.items() if source.etat == "vivante"]
    champ = type(objet).__name__.lower()
    LigneSource.objects.filter(**{champ: objet}).delete()
    LigneSource.objects.bulk_create(
        LigneSource(plateforme=plateforme, message_id=message_id, expire_a=expire_a, **{champ: objet})
        for (plateforme, message_id), expire_a in sorted(vivantes)
    )
    return len(vivantes)


def plus_tot(lues: Lues, maintenant: datetime, duree: timedelta = VIE_MAXIMALE) -> datetime:
    """Terme de ce qui se fonde sur ces messages : la plus proche de leurs expirations, et jamais après `duree`."""
    return min([maintenant + duree, *(expire_a for source, expire_a in lues.values() if source.etat == "vivante")])


def retirer_derives(plateforme: str, ids: Collection[str], maintenant: datetime) -> None:
    """Suites de la disparition de messages : ce qui n'était qu'en attente disparaît, un souvenir perd un appui.

    Un message déjà expiré n'appuie plus rien : sa suppression tardive ne change pas un souvenir (CT-16).
    """
    if not ids:
        return
    lignes = executer(
        """DELETE FROM memoire_source WHERE plateforme = %b AND message_id = ANY(%b)
           RETURNING souvenir_id, proposition_id, hypothese_id, expire_a > %b""",
        plateforme,
        list(ids),
        maintenant,
    )
    if not lignes:
        return
    Proposition.objects.filter(pk__in=[p for _, p, _, _ in lignes if p]).delete()
    Hypothese.objects.filter(pk__in=[h for _, _, h, _ in lignes if h]).delete()
    _affaiblir([s for s, _, _, vivait in lignes if s and vivait])


def _affaiblir(souvenirs: list[int]) -> None:
    """Un appui perdu par message disparu ; sans appui, le souvenir n'est plus jamais présenté comme sûr."""
    if not souvenirs:
        return
    lignes = executer(
        """UPDATE memoire_souvenir s SET sources = GREATEST(s.sources - p.n, 0)
           FROM (SELECT id, count(*) AS n FROM unnest(%b::bigint[]) AS id GROUP BY id) p
           WHERE s.id = p.id RETURNING s.id, s.sources, s.confiance""",
        souvenirs,
    )
    for pk, restantes, confiance in lignes:
        if not restantes:
            executer(
                "UPDATE memoire_souvenir SET contradictions = contradictions + 1, confiance = %b WHERE id = %b",
                affaiblir(confiance, PERTE_DE_SOURCE),
                pk,
            )
