"""Effacer ce qui a expiré, par lots bornés ; appliquer une nouvelle durée à ce qui est déjà gardé (CT-04, CT-05)."""

from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, connection, transaction

from memoire.models import Barriere, CompteurEntree
from memoire.services.retraits import retirer_orphelines

journal = structlog.get_logger(__name__)
LOT = 10_000
COMPTEURS_GARDES = timedelta(days=7)


def purger(maintenant: datetime) -> int:
    """Efface interactions et pierres tombales expirées ; rend le nombre de contenus effacés."""
    effaces = _effacer_expirees(maintenant) + _balayer_orphelines(maintenant)
    Barriere.objects.filter(expire_a__lte=maintenant).delete()
    CompteurEntree.objects.filter(heure__lt=maintenant - COMPTEURS_GARDES).delete()
    _regrouper_compteurs()
    return effaces


def _balayer_orphelines(maintenant: datetime) -> int:
    """Une réponse qui refuse de partir n'arrête pas le reste de la passe : elle n'est de toute façon plus lisible."""
    try:
        with transaction.atomic():
            return retirer_orphelines(maintenant)
    except DatabaseError as erreur:
        journal.error("reponses_orphelines_restees", erreur=type(erreur).__name__)
        return 0


def _effacer_expirees(maintenant: datetime) -> int:
    """Lots successifs ; `SKIP LOCKED` laisse deux passes avancer sans s'attendre. Une ligne qui refuse de partir
    n'arrête pas la passe : son lot est repris par moitiés, elle est nommée au journal, et la suite continue."""
    effaces, refusees = 0, list[int]()
    while True:
        try:
            lues, contenus = _effacer_lot(maintenant, refusees)
        except DatabaseError:
            restantes = _expirees(maintenant, refusees)
            contenus, fautives = _effacer_une_a_une(restantes)
            # Une erreur passagère n'arrête pas la passe : ce lot est traité, les suivants attendent encore.
            lues = LOT if restantes else 0
            refusees += fautives
        effaces += contenus
        if lues < LOT:
            return effaces


def _effacer_lot(maintenant: datetime, refusees: list[int]) -> tuple[int, int]:
    with transaction.atomic(), connection.cursor() as curseur:
        curseur.execute(
            """DELETE FROM memoire_interaction WHERE ctid = ANY(ARRAY(
                   SELECT ctid FROM memoire_interaction WHERE expire_a <= %s AND NOT id = ANY(%s)
                   LIMIT %s FOR UPDATE SKIP LOCKED)) RETURNING contenu IS NOT NULL""",
            [maintenant, refusees, LOT],
        )
        lignes = curseur.fetchall()
    return len(lignes), sum(contenu for (contenu,) in lignes)


def _expirees(maintenant: datetime, refusees: list[int]) -> list[int]:
    with connection.cursor() as curseur:
        curseur.execute(
            "SELECT id FROM memoire_interaction WHERE expire_a <= %s AND NOT id = ANY(%s) LIMIT %s",
            [maintenant, refusees, LOT],
        )
        return [ligne[0] for ligne in curseur.fetchall()]


def _effacer_une_a_une(ids: list[int]) -> tuple[int, list[int]]:
    """Efface par moitiés ; rend (contenus effacés, identifiants des lignes qui refusent de partir)."""
    if not ids:
        return 0, []
    try:
        with transaction.atomic(), connection.cursor() as curseur:
            curseur.execute("DELETE FROM memoire_interaction WHERE id = ANY(%s) RETURNING contenu IS NOT NULL", [ids])
            return sum(contenu for (contenu,) in curseur.fetchall()), []
    except DatabaseError:
        if len(ids) == 1:
            journal.error("effacement_refuse", interaction=ids[0])
            return 0, ids
        milieu = len(ids) // 2
        gauche, fautives = _effacer_une_a_une(ids[:milieu])
        droite, autres = _effacer_une_a_une(ids[milieu:])
        return gauche + droite, fautives + autres


def _regrouper_compteurs() -> None:
    """Fond les lignes d'une même heure : l'ingestion n'en fait qu'ajouter."""
    with transaction.atomic(), connection.cursor() as curseur:
        curseur.execute(
            """WITH doubles AS (
                   SELECT array_agg(id) AS ids FROM memoire_compteurentree
                   GROUP BY heure, plateforme, espace_id, statut, motif HAVING count(*) > 1),
               parties AS (DELETE FROM memoire_compteurentree WHERE id = ANY(ARRAY(
                   SELECT id FROM memoire_compteurentree WHERE id IN (SELECT unnest(ids) FROM doubles)
                   ORDER BY id LIMIT 50000 FOR UPDATE SKIP LOCKED)) RETURNING *)
               INSERT INTO memoire_compteurentree (heure, plateforme, espace_id, statut, motif, nombre, dernier)
               SELECT heure, plateforme, espace_id, statut, motif, sum(nombre), max(dernier) FROM parties
               GROUP BY heure, plateforme, espace_id, statut, motif"""
        )


def raccourcir(duree: timedelta) -> None:
    """Applique une durée plus courte au contenu déjà reçu et à ce qui s'y fonde (CT-16) ; ne prolonge jamais rien."""
    with connection.cursor() as curseur:
        curseur.execute(
            """UPDATE memoire_interaction SET expire_a = LEAST(emis_le, recu_le) + %s
               WHERE etat = 'vivante' AND expire_a > LEAST(emis_le, recu_le) + %s""",
            [duree, duree],  # type: ignore[list-item]  # psycopg sait passer une durée
        )
        curseur.execute(
            "UPDATE memoire_proposition SET expire_a = creee_le + %s WHERE expire_a > creee_le + %s",
            [duree, duree],  # type: ignore[list-item]
        )
        for table, lien in (("proposition", "proposition_id"), ("hypothese", "hypothese_id")):
            curseur.execute(
                f"""UPDATE memoire_{table} d SET expire_a = s.terme FROM (
                        SELECT s.{lien} AS id, min(i.expire_a) AS terme FROM memoire_source s
                        JOIN memoire_interaction i ON i.plateforme = s.plateforme AND i.message_id = s.message_id
                        WHERE s.{lien} IS NOT NULL GROUP BY s.{lien}) s
                    WHERE s.id = d.id AND d.expire_a > s.terme"""  # noqa: S608 — textes fixes
            )
    abreger_les_reponses()


def abreger_les_reponses() -> None:
    """Ramène chaque réponse à l'expiration de sa question, de proche en proche (CT-14)."""
    with connection.cursor() as curseur:
        while True:
            curseur.execute(
                """UPDATE memoire_interaction r SET expire_a = q.expire_a FROM memoire_interaction q
                   WHERE r.auteur = 'poubelle' AND r.etat = 'vivante' AND q.plateforme = r.plateforme
                     AND q.message_id = r.reponse_a AND q.etat = 'vivante' AND r.expire_a > q.expire_a"""
            )
            if not curseur.rowcount:
                return
