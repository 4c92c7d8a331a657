"""Retirer de la mémoire courte : suppression, purge d'un auteur, vidage d'un espace, et les réponses qui en dépendent.

Retirer, c'est vider la ligne de tout ce qu'elle portait et la laisser en pierre tombale jusqu'à ce que le message ne
puisse plus être vivant (CT-06, CT-14).
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import connection

from horizon.noyau.evenements import Champ, Coupure, PurgeAuteur, Releve, Resultat, Suppression, Vidage
from horizon.noyau.temps import trop_en_avance
from memoire.noyau.expiration import VIE_TOMBALE
from memoire.services.faits import Connus
from memoire.services.sources import retirer_derives

_VIDER = """etat = 'supprimee', espace_id = NULL, compte_id = NULL, auteur = NULL, auteur_externe = NULL,
    visibilite = NULL,
    contenu = NULL, contexte = NULL, action = NULL, resultat = NULL, reponse_a = NULL, finalite = NULL,
    emis_le = NULL, modifie_le = NULL"""


def supprimer(evenement: Suppression, maintenant: datetime) -> Resultat:
    """Retire des messages désignés ; les inconnus reçoivent une pierre tombale et ne pourront plus entrer."""
    nombre, reponses = retirer(evenement.plateforme, evenement.ids, maintenant)
    seul = evenement.ids[0] if len(evenement.ids) == 1 else None
    return Resultat(id=seul, statut="supprime", nombre=nombre, a_supprimer=reponses)


def retirer(plateforme: str, ids: Iterable[str], maintenant: datetime) -> tuple[int, list[str]]:
    """Pose les pierres tombales ; rend (messages effacés, réponses de P.O.U.B.E.L.L.E. emportées)."""
    tries = sorted(set(ids))
    with connection.cursor() as curseur:
        curseur.execute(
            """UPDATE memoire_interaction SET etat = 'supprimee', expire_a = %s
               WHERE etat = 'remplacee' AND plateforme = %s AND message_id = ANY(%s)""",
            [maintenant + VIE_TOMBALE, plateforme, tries],
        )
        curseur.execute(
            f"""INSERT INTO memoire_interaction AS i (plateforme, message_id, etat, recu_le, expire_a)
                SELECT %s, m, 'supprimee', %s, %s FROM unnest(%s::text[]) AS m
                ON CONFLICT (plateforme, message_id) DO UPDATE SET {_VIDER}, expire_a = EXCLUDED.expire_a
                WHERE i.etat = 'vivante' RETURNING xmax <> 0""",  # noqa: S608 — texte fixe
            [plateforme, maintenant, maintenant + VIE_TOMBALE, tries],
        )
        nombre = sum(existait for (existait,) in curseur.fetchall())
    retirer_derives(plateforme, tries, maintenant)
    return nombre, retirer_reponses(plateforme, tries, maintenant)


def retirer_reponses(plateforme: str, questions: list[str], maintenant: datetime) -> list[str]:
    """Retire les réponses de P.O.U.B.E.L.L.E. aux messages disparus, de proche en proche."""
    emportees: list[str] = []
    while questions:
        questions = _vider_ou(
            "plateforme = %s AND auteur = 'poubelle' AND reponse_a = ANY(%s)", [plateforme, questions], maintenant
        )
        emportees += questions
    return emportees


def _vider_ou(condition: str, valeurs: list[Any], maintenant: datetime) -> list[str]:
    with connection.cursor() as curseur:
        curseur.execute(
            f"""UPDATE memoire_interaction SET {_VIDER}, expire_a = %s
                WHERE etat = 'vivante' AND {condition} RETURNING plateforme, message_id""",  # noqa: S608 — textes fixes
            [maintenant + VIE_TOMBALE, *valeurs],
        )
        retires = curseur.fetchall()
    for plateforme in {p for p, _ in retires}:
        retirer_derives(plateforme, [m for p, m in retires if p == plateforme], maintenant)
    return sorted(m for _, m in retires)


def retirer_orphelines(maintenant: datetime) -> int:
    """Retire les réponses dont la question est supprimée mais qu'une arrivée simultanée a laissées (CT-14)."""
    condition = """auteur = 'poubelle' AND EXISTS (SELECT 1 FROM memoire_interaction q
        WHERE q.plateforme = memoire_interaction.plateforme AND q.message_id = memoire_interaction.reponse_a
          AND q.etat = 'supprimee')"""
    return len(_vider_ou(condition, [], maintenant))


def oublier_comptes(comptes: list[int], jusqu_a: datetime, maintenant: datetime) -> int:
    """Retire tout ce que ces comptes ont dit ou fait entrer jusqu'à un instant, et ce que P.O.U.B.E.L.L.E. leur a
    répondu."""
    return len(_vider_ou("compte_id = ANY(%s) AND LEAST(emis_le, recu_le) <= %s", [comptes, jusqu_a], maintenant))


def purger_auteur(evenement: PurgeAuteur, connus: Connus, maintenant: datetime) -> Resultat:
    """Retire tout ce qu'un compte a émis dans un espace jusqu'à un instant, arrivées tardives comprises."""
    espace_id, _ = connus.lieux[evenement.plateforme, evenement.espace.id]
    auteur = evenement.auteur.id
    # Le compte est cherché ici, une fois l'espace verrouillé : il a pu naître pendant l'attente du verrou.
    condition = """(auteur = 'poubelle' AND auteur_externe = %s OR auteur = 'personne' AND compte_id =
        (SELECT id FROM horizon_compte WHERE plateforme = %s AND externe_id = %s))"""
    jusqu_a = evenement.jusqu_a or maintenant
    lieu = (evenement.plateforme, espace_id, auteur)
    return _barrer(lieu, jusqu_a, condition, [auteur, evenement.plateforme, auteur], connus, maintenant)


def vider(evenement: Vidage, connus: Connus, maintenant: datetime) -> Resultat:
    """Retire tout ce qui fut émis dans un espace jusqu'à un instant, réponses de P.O.U.B.E.L.L.E. comprises."""
    espace_id, _ = connus.lieux[evenement.plateforme, evenement.espace.id]
    lieu = (evenement.plateforme, espace_id, "")
    return _barrer(lieu, evenement.jusqu_a or maintenant, "TRUE", [], connus, maintenant)


def couper(evenement: Coupure, connus: Connus, maintenant: datetime) -> Resultat:
    """Sans relevé possible, rien d'émis avant la fin de la coupure n'est sûr d'exister encore : tout est retiré."""
    if evenement.debut > evenement.fin:
        return Resultat(statut="invalide", motif="forme", champs=[Champ("debut", "forme")])
    espace_id, _ = connus.lieux[evenement.plateforme, evenement.espace.id]
    return _barrer((evenement.plateforme, espace_id, ""), evenement.fin, "TRUE", [], connus, maintenant)


def relever(evenement: Releve, connus: Connus, maintenant: datetime) -> Resultat:
    """Retire ce qui manque au relevé entre ses deux bornes comprises, et cela seulement."""
    if evenement.depuis > evenement.jusqu_a:
        return Resultat(statut="invalide", motif="forme", champs=[Champ("depuis", "forme")])
    if trop_en_avance(evenement.jusqu_a, maintenant):
        return Resultat(statut="invalide", motif="futur")
    espace_id, _ = connus.lieux[evenement.plateforme, evenement.espace.id]
    retires = _vider_ou(
        "espace_id = %s AND emis_le BETWEEN %s AND %s AND NOT message_id = ANY(%s)",
        [espace_id, evenement.depuis, evenement.jusqu_a, evenement.ids_vivants],
        maintenant,
    )
    reponses = retirer_reponses(evenement.plateforme, retires, maintenant) if retires else []
    return Resultat(statut="supprime", nombre=len(retires), a_supprimer=reponses)


def _barrer(
    lieu: tuple[str, int, str],
    jusqu_a: datetime,
    condition: str,
    valeurs: list[Any],
    connus: Connus,
    maintenant: datetime,
) -> Resultat:
    """Pose une barrière en (plateforme, espace, auteur) et retire ce qu'elle couvre déjà."""
    plateforme, espace_id, auteur = lieu
    if trop_en_avance(jusqu_a, maintenant):
        return Resultat(statut="invalide", motif="futur")
    with connection.cursor() as curseur:
        curseur.execute(
            """INSERT INTO memoire_barriere AS b (espace_id, auteur, jusqu_a, expire_a) VALUES (%s, %s, %s, %s)
               ON CONFLICT (espace_id, auteur) DO UPDATE SET jusqu_a = GREATEST(b.jusqu_a, EXCLUDED.jusqu_a),
                   expire_a = GREATEST(b.expire_a, EXCLUDED.expire_a) RETURNING jusqu_a""",
            [espace_id, auteur, jusqu_a, jusqu_a + VIE_TOMBALE],
        )
        connus.barrieres[espace_id, auteur] = curseur.fetchone()[0]
    retires = _vider_ou(f"espace_id = %s AND emis_le <= %s AND {condition}", [espace_id, jusqu_a, *valeurs], maintenant)
    reponses = retirer_reponses(plateforme, retires, maintenant) if retires else []
    return Resultat(statut="supprime", nombre=len(retires), a_supprimer=reponses)
