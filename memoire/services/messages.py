"""Faire entrer des messages : le tri décide, une insertion par lot enregistre, l'index unique départage.

Les messages des Personnes passent avant ceux de P.O.U.B.E.L.L.E. : une réponse se juge sur sa question (CT-14).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
from django.db import connection

from horizon.noyau.evenements import Message, Resultat
from horizon.noyau.motifs import COMPTES_FICTIFS
from horizon.noyau.temps import trop_en_avance
from horizon.participants import Entree
from horizon.services.identites import Cle, creer_manquants, declarer_poubelles, noter_passage
from horizon.services.reconnaissance import ajouter_comptes
from memoire.models.court import FINALITE
from memoire.noyau.expiration import duree_annoncee, expiration
from memoire.noyau.tri import Faits, en_prive, parle_poubelle, personne_en_prive, trier
from memoire.services import avis
from memoire.services.faits import Connus, lier_echange_prive
from memoire.services.retraits import retirer_reponses


@dataclass(slots=True)
class Candidat:
    """Un message admis par le tri, en attente d'insertion."""

    rang: int
    message: Message
    personne: str
    poubelle: bool
    prive: bool
    texte: str
    expire_a: datetime
    espace_id: int | None
    compte_id: int = 0

    @property
    def cle(self) -> Cle:
        return self.message.plateforme, self.message.id

    @property
    def cle_de_l_auteur(self) -> Cle:
        return self.message.plateforme, self.message.auteur.id


@dataclass(frozen=True, slots=True)
class Question:
    """Ce que la mémoire sait du message auquel P.O.U.B.E.L.L.E. répond."""

    vivante: bool
    expire_a: datetime
    externe_id: str | None


def enregistrer(entrees: Sequence[Entree], connus: Connus, maintenant: datetime) -> dict[int, Resultat]:
    """Un résultat par message ; les admis sont enregistrés, les autres ne laissent rien."""
    resultats: dict[int, Resultat] = {}
    humains: list[Entree] = []
    poubelles: list[Entree] = []
    for entree in entrees:
        assert isinstance(entree.evenement, Message)
        est_poubelle = parle_poubelle(entree.evenement, _faits(entree.evenement, connus, None))
        (poubelles if est_poubelle else humains).append(entree)
    for groupe, questions in ((humains, False), (poubelles, True)):
        if groupe:
            resultats |= _enregistrer_groupe(groupe, connus, maintenant, questions)
    return resultats


def _enregistrer_groupe(
    entrees: Sequence[Entree], connus: Connus, maintenant: datetime, repondent: bool
) -> dict[int, Resultat]:
    questions = _questions([e.evenement for e in entrees if isinstance(e.evenement, Message)]) if repondent else {}
    resultats: dict[int, Resultat] = {}
    candidats: list[Candidat] = []
    for entree in entrees:
        issue = _examiner(entree, connus, maintenant, questions)
        if isinstance(issue, Candidat):
            candidats.append(issue)
        else:
            resultats[entree.rang] = issue
    candidats = _attacher(candidats, connus, resultats, maintenant)
    if candidats:
        declarer_poubelles(cle for c in candidats if c.poubelle and (cle := c.cle_de_l_auteur) not in connus.comptes)
        issues = _inserer(candidats, maintenant)
        resultats |= issues
        connus.nouveaux += [
            (c.cle_de_l_auteur, c.message.emis_le)
            for c in candidats
            if not c.poubelle and issues[c.rang].statut == "memorise"
        ]
        noter_passage(
            [(c.compte_id, "" if c.poubelle else c.message.auteur.pseudonyme, c.message.emis_le) for c in candidats],
            maintenant=maintenant,
        )
    return resultats


def _faits(message: Message, connus: Connus, personne: str | None) -> Faits:
    lieu = connus.lieux.get((message.plateforme, message.espace.id))
    compte = connus.comptes.get((message.plateforme, message.auteur.id))
    concerne = connus.comptes.get((message.plateforme, personne)) if personne else None
    return Faits(
        lieu=lieu[1] if lieu else None,
        nature_du_compte=compte.nature if compte else None,
        poubelles=connus.poubelles.get(message.plateforme, frozenset()),
        en_pause=connus.en_pause(concerne, lieu[0] if lieu else None),
    )


def _personne(message: Message, faits: Faits, question: Question | None) -> str | None:
    """Identifiant externe de la Personne concernée : l'auteur, ou celle à qui P.O.U.B.E.L.L.E. répond."""
    if en_prive(message, faits):
        return personne_en_prive(message, faits)
    if not parle_poubelle(message, faits):
        return message.auteur.id
    if message.interlocuteur is not None:
        return message.interlocuteur.id
    return question.externe_id if question else None


def _exclu(message: Message, motif: str) -> Resultat:
    return Resultat(id=message.id, statut="exclu", motif=motif)


def _examiner(
    entree: Entree, connus: Connus, maintenant: datetime, questions: dict[Cle, Question]
) -> Candidat | Resultat:
    """Le tri, puis le temps, puis l'avis : un candidat à l'insertion, ou le résultat qui l'écarte."""
    message = entree.evenement
    assert isinstance(message, Message)
    question = questions.get((message.plateforme, message.reponse_a)) if message.reponse_a else None
    sans_pause = _faits(message, connus, None)
    personne = _personne(message, sans_pause, question)
    faits = _faits(message, connus, personne)
    decision = trier(message, faits)
    if not decision.admis:
        return _exclu(message, decision.code)
    poubelle = parle_poubelle(message, faits)
    if personne is None:
        return _exclu(message, "non_etiquete")
    if (message.plateforme, personne) in COMPTES_FICTIFS:
        return _exclu(message, "anonyme")
    compte = connus.comptes.get((message.plateforme, personne))
    if compte is not None and compte.nature != "personne":
        return _exclu(message, "bot")
    lieu = connus.lieux.get((message.plateforme, message.espace.id))
    candidat = Candidat(
        rang=entree.rang,
        message=message,
        personne=personne,
        poubelle=poubelle,
        prive=en_prive(message, faits),
        texte=decision.texte,
        expire_a=_expiration(message, connus, maintenant, question),
        espace_id=lieu[0] if lieu else None,
    )
    return _hors_du_temps(candidat, connus, maintenant, question) or _avis_manquant(candidat, connus) or candidat


def _expiration(message: Message, connus: Connus, maintenant: datetime, question: Question | None) -> datetime:
    propre = expiration(message.emis_le, maintenant, duree_annoncee(message.emis_le, connus.durees))
    return min(propre, question.expire_a) if question and question.vivante else propre


def _hors_du_temps(
    candidat: Candidat, connus: Connus, maintenant: datetime, question: Question | None
) -> Resultat | None:
    message = candidat.message
    if trop_en_avance(message.emis_le, maintenant):
        return _exclu(message, "futur")
    efface = candidat.espace_id is not None and connus.efface_avant(
        candidat.espace_id, message.auteur.id, message.emis_le
    )
    orpheline = candidat.poubelle and question is not None and not question.vivante
    if efface or orpheline:
        resultat = _exclu(message, "supprime_avant")
        resultat.a_supprimer = [message.id] if orpheline else []
        return resultat
    if candidat.expire_a <= maintenant:
        resultat = _exclu(message, "expire")
        # Une réponse n'expire jamais après sa question, même arrivée avant elle.
        resultat.a_supprimer = retirer_reponses(message.plateforme, [message.id], maintenant)
        return resultat
    return None


def _avis_manquant(candidat: Candidat, connus: Connus) -> Resultat | None:
    if not candidat.prive:
        return None
    duree = connus.durees[0][1]
    compte = connus.comptes.get((candidat.message.plateforme, candidat.personne))
    if compte is not None and compte.avis_duree is not None and compte.avis_duree >= duree:
        return None
    resultat = _exclu(candidat.message, "avis_requis")
    resultat.avis = avis.preparer(candidat.message.plateforme, candidat.personne, duree)
    return resultat


def _attacher(
    candidats: list[Candidat], connus: Connus, resultats: dict[int, Resultat], maintenant: datetime
) -> list[Candidat]:
    """Donne à chaque candidat son compte et son espace ; écarte un échange privé pris par une autre Personne."""
    cles: set[Cle] = {(c.message.plateforme, c.personne) for c in candidats}
    manquants = cles - connus.comptes.keys()
    if manquants:
        creer_manquants(manquants, maintenant=maintenant)
        ajouter_comptes(connus, manquants)
    retenus = []
    for candidat in candidats:
        compte = connus.comptes[candidat.message.plateforme, candidat.personne]
        candidat.compte_id = compte.id
        if candidat.prive:
            cle = (candidat.message.plateforme, candidat.message.espace.id)
            lieu = connus.lieux.get(cle)
            if lieu is None or lieu[1].interlocuteur is None:
                candidat.espace_id = lier_echange_prive(connus, cle, candidat.personne, compte)
            else:
                # Un message voisin du même lot a pu créer l'échange depuis l'examen.
                candidat.espace_id = lieu[0] if lieu[1].interlocuteur == candidat.personne else None
        if candidat.espace_id is None:
            resultats[candidat.rang] = _exclu(candidat.message, "groupe_prive")
        else:
            retenus.append(candidat)
    return retenus


def _questions(messages: list[Message]) -> dict[Cle, Question]:
    """Questions visées par un groupe de réponses, verrouillées : leur suppression attendra la réponse, ou l'inverse."""
    cles = sorted({(m.plateforme, m.reponse_a) for m in messages if m.reponse_a})
    if not cles:
        return {}
    with connection.cursor() as curseur:
        curseur.execute(
            """SELECT i.plateforme, i.message_id, i.etat = 'vivante', i.expire_a, i.compte_id
               FROM memoire_interaction i JOIN unnest(%s::text[], %s::text[]) AS v(p, m)
                 ON i.plateforme = v.p AND i.message_id = v.m ORDER BY i.id FOR SHARE OF i""",
            [[p for p, _ in cles], [m for _, m in cles]],
        )
        lignes = curseur.fetchall()
        curseur.execute(
            "SELECT id, externe_id FROM horizon_compte WHERE id = ANY(%s)", [[ligne[4] for ligne in lignes if ligne[4]]]
        )
        externes = dict(curseur.fetchall())
    return {(p, m): Question(vivante, expire_a, externes.get(compte)) for p, m, vivante, expire_a, compte in lignes}


_INSERER = """
INSERT INTO memoire_interaction (plateforme, message_id, etat, espace_id, compte_id, auteur, visibilite, contenu,
    contexte, action, resultat, reponse_a, finalite, emis_le, recu_le, expire_a)
SELECT p, m, 'vivante', s, c, a, v, t, x::jsonb, ac, re, q, %s, e, %s, f
FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[],
    %s::text[], %s::text[], %s::text[], %s::timestamptz[], %s::timestamptz[])
    AS n(p, m, s, c, a, v, t, x, ac, re, q, e, f)
ON CONFLICT (plateforme, message_id) DO NOTHING RETURNING plateforme, message_id"""


def _colonnes(candidat: Candidat) -> tuple[object, ...]:
    m = candidat.message
    contexte = msgspec.json.encode(m.contexte).decode() if m.contexte else None
    return (
        m.plateforme,
        m.id,
        candidat.espace_id,
        candidat.compte_id,
        "poubelle" if candidat.poubelle else "personne",
        "prive" if candidat.prive else "public",
        candidat.texte,
        contexte,
        m.action,
        m.resultat,
        m.reponse_a,
        m.emis_le,
        candidat.expire_a,
    )


def _inserer(candidats: list[Candidat], maintenant: datetime) -> dict[int, Resultat]:
    """Insère le groupe en une requête, triée par clé ; rend `memorise`, ou ce que dit la ligne déjà là."""
    # Le tri est stable : de deux copies dans un même lot, la première gagne.
    tries = sorted(candidats, key=lambda c: c.cle)
    colonnes = [list(colonne) for colonne in zip(*map(_colonnes, tries), strict=True)]
    with connection.cursor() as curseur:
        curseur.execute(_INSERER, [FINALITE, maintenant, *colonnes])
        inserees = set(curseur.fetchall())
    resultats: dict[int, Resultat] = {}
    deja = []
    for candidat in tries:
        if candidat.cle in inserees:
            inserees.discard(candidat.cle)
            resultats[candidat.rang] = Resultat(id=candidat.message.id, statut="memorise", expire_le=candidat.expire_a)
        else:
            deja.append(candidat)
    _abreger_reponses([c for c in tries if c.rang in resultats and not c.poubelle])
    return resultats | _deja_la(deja, maintenant)


def _deja_la(candidats: list[Candidat], maintenant: datetime) -> dict[int, Resultat]:
    """Ce que la mémoire sait d'un message déjà vu : vivant (doublon), supprimé, ou expiré."""
    if not candidats:
        return {}
    with connection.cursor() as curseur:
        curseur.execute(
            """SELECT i.plateforme, i.message_id, i.etat, i.expire_a FROM memoire_interaction i
               JOIN unnest(%s::text[], %s::text[]) AS v(p, m) ON i.plateforme = v.p AND i.message_id = v.m""",
            [[c.message.plateforme for c in candidats], [c.message.id for c in candidats]],
        )
        lignes = {(p, m): (etat, expire_a) for p, m, etat, expire_a in curseur.fetchall()}
    resultats = {}
    for candidat in candidats:
        etat, expire_a = lignes.get(candidat.cle, ("vivante", maintenant))
        if etat == "supprimee":
            resultats[candidat.rang] = _exclu(candidat.message, "supprime_avant")
        elif expire_a <= maintenant:
            resultats[candidat.rang] = _exclu(candidat.message, "expire")
        else:
            resultats[candidat.rang] = Resultat(id=candidat.message.id, statut="doublon", expire_le=expire_a)
    return resultats


def _abreger_reponses(questions: list[Candidat]) -> None:
    """Une réponse arrivée avant sa question n'expire pas après elle (CT-14)."""
    if not questions:
        return
    with connection.cursor() as curseur:
        curseur.execute(
            """UPDATE memoire_interaction r SET expire_a = q.f
               FROM unnest(%s::text[], %s::text[], %s::timestamptz[]) AS q(p, m, f)
               WHERE r.plateforme = q.p AND r.reponse_a = q.m AND r.auteur = 'poubelle' AND r.expire_a > q.f""",
            [
                [c.message.plateforme for c in questions],
                [c.message.id for c in questions],
                [c.expire_a for c in questions],
            ],
        )
