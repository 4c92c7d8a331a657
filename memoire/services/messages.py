"""Faire entrer des messages : le tri décide, une insertion par lot enregistre, l'index unique départage.

Les messages des Personnes passent avant ceux de P.O.U.B.E.L.L.E. : une réponse se juge sur sa question (CT-14).
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import connection
from msgspec.structs import replace

from horizon.noyau.evenements import Message, Resultat
from horizon.noyau.motifs import COMPTES_FICTIFS
from horizon.noyau.temps import trop_en_avance
from horizon.participants import Entree
from horizon.services.identites import Cle, creer_manquants, defaire
from horizon.services.passages import noter_passage
from horizon.services.reconnaissance import CompteConnu, ajouter_comptes
from memoire.noyau.expiration import duree_annoncee, expiration
from memoire.noyau.tri import Faits, en_prive, parle_poubelle, personne_en_prive, trier
from memoire.services import avis
from memoire.services.candidats import Candidat, Question, exclu
from memoire.services.faits import (
    Connus,
    attribuer_echange_prive,
    ouvrir_echange_prive,
)
from memoire.services.insertion import inserer
from memoire.services.retraits import retirer


def enregistrer(entrees: Sequence[Entree], connus: Connus, maintenant: datetime) -> dict[int, Resultat]:
    """Un résultat par message ; les admis sont enregistrés, les autres ne laissent rien."""
    resultats: dict[int, Resultat] = {}
    humains: list[Entree] = []
    poubelles: list[Entree] = []
    for entree in entrees:
        assert isinstance(entree.evenement, Message)
        auteur = connus.comptes.get((entree.evenement.plateforme, entree.evenement.auteur.id))
        est_poubelle = parle_poubelle(entree.evenement, auteur.nature if auteur else None)
        (poubelles if est_poubelle else humains).append(entree)
    for groupe, repondent in ((humains, False), (poubelles, True)):
        if groupe:
            resultats |= _enregistrer_groupe(groupe, connus, maintenant, repondent)
    return resultats


def _enregistrer_groupe(
    entrees: Sequence[Entree], connus: Connus, maintenant: datetime, repondent: bool
) -> dict[int, Resultat]:
    questions = (
        _questions([e.evenement for e in entrees if isinstance(e.evenement, Message)], connus) if repondent else {}
    )
    resultats: dict[int, Resultat] = {}
    candidats = _examiner_tous(entrees, connus, maintenant, questions, resultats)
    a_creer = {c.cle_de_la_personne for c in candidats} - connus.comptes.keys()
    a_ouvrir = {c.cle_du_lieu for c in candidats if c.prive and _sans_personne(connus, c.cle_du_lieu)}
    crees = _preparer(connus, a_creer, a_ouvrir, maintenant)
    if a_creer or a_ouvrir:
        # Ce qui vient d'être verrouillé a pu changer depuis la première lecture : on rejuge ceux que cela touche.
        touches = [c for c in candidats if c.cle_de_la_personne in a_creer or c.cle_du_lieu in a_ouvrir]
        candidats = [c for c in candidats if c not in touches]
        rejuges = [Entree(c.rang, c.message) for c in touches]
        rejuges_admis = _examiner_tous(rejuges, connus, maintenant, questions, resultats)
        candidats += _une_personne_par_echange(rejuges_admis, a_ouvrir, resultats)
    gardes = inserer(candidats, maintenant, resultats)
    defaire(crees - {c.cle_de_la_personne for c in gardes})
    _noter(gardes, connus, maintenant)
    connus.nouveaux += [(c.cle_de_la_personne, c.message.emis_le) for c in gardes if not c.poubelle]
    return resultats


def _examiner_tous(
    entrees: Sequence[Entree],
    connus: Connus,
    maintenant: datetime,
    questions: dict[Cle, Question],
    resultats: dict[int, Resultat],
) -> list[Candidat]:
    candidats: list[Candidat] = []
    for entree in entrees:
        issue = _examiner(entree, connus, maintenant, questions)
        if isinstance(issue, Candidat):
            candidats.append(issue)
        else:
            resultats[entree.rang] = issue
    return candidats


def _une_personne_par_echange(
    candidats: list[Candidat], ouverts: set[Cle], resultats: dict[int, Resultat]
) -> list[Candidat]:
    """D'un échange privé qui s'ouvre, la première Personne du lot ; une autre en ferait un groupe."""
    premieres: dict[Cle, str] = {}
    retenus = []
    for candidat in candidats:
        premiere = premieres.setdefault(candidat.cle_du_lieu, candidat.personne)
        if candidat.prive and candidat.cle_du_lieu in ouverts and candidat.personne != premiere:
            resultats[candidat.rang] = exclu(candidat.message, "groupe_prive")
        else:
            retenus.append(candidat)
    return retenus


def _sans_personne(connus: Connus, cle: Cle) -> bool:
    return cle not in connus.lieux or connus.lieux[cle][1].interlocuteur is None


def _preparer(connus: Connus, a_creer: set[Cle], a_ouvrir: set[Cle], maintenant: datetime) -> set[Cle]:
    """Crée et verrouille comptes puis échanges privés ; rend les comptes créés ici."""
    crees = creer_manquants(a_creer, maintenant=maintenant)
    ajouter_comptes(connus, a_creer)
    for cle in sorted(a_ouvrir):
        ouvrir_echange_prive(connus, cle, maintenant)
    return crees


def _noter(gardes: list[Candidat], connus: Connus, maintenant: datetime) -> None:
    """Suites d'un message réellement gardé. Un pseudonyme lu en privé n'est pas retenu : le rendre en public dirait que
    la Personne a écrit en privé."""
    for candidat in gardes:
        if candidat.prive:
            attribuer_echange_prive(connus, candidat.cle_du_lieu, candidat.personne, candidat.compte_id)
    vus = [
        (
            connus.comptes[c.cle_de_la_personne],
            "" if c.poubelle or c.prive else c.message.auteur.pseudonyme,
            c.message.emis_le,
        )
        for c in gardes
    ]
    noter_passage(vus, maintenant=maintenant)
    for candidat, (compte, pseudonyme, _) in zip(gardes, vus, strict=True):
        if pseudonyme not in ("", compte.pseudonyme):
            # La suite du lot ne sait plus lequel des deux la base a gardé : elle le lui redemandera.
            connus.comptes[candidat.cle_de_la_personne] = replace(compte, pseudonyme="")


def _faits(message: Message, connus: Connus) -> Faits:
    lieu = connus.lieux.get((message.plateforme, message.espace.id))
    compte = connus.comptes.get((message.plateforme, message.auteur.id))
    return Faits(
        lieu=lieu[1] if lieu else None,
        nature_du_compte=compte.nature if compte else None,
        poubelles=connus.poubelles.get(message.plateforme, frozenset()),
    )


def _personne(message: Message, faits: Faits, question: Question | None) -> str | None:
    """Identifiant externe de la Personne concernée : l'auteur, ou celle à qui P.O.U.B.E.L.L.E. répond."""
    if en_prive(message, faits):
        return personne_en_prive(message, faits)
    if not parle_poubelle(message, faits.nature_du_compte):
        return message.auteur.id
    if message.interlocuteur is not None:
        return message.interlocuteur.id
    return question.externe_id if question else None


def _examiner(
    entree: Entree, connus: Connus, maintenant: datetime, questions: dict[Cle, Question]
) -> Candidat | Resultat:
    """Le tri, puis le temps, puis l'avis : un candidat à l'insertion, ou le résultat qui l'écarte."""
    message = entree.evenement
    assert isinstance(message, Message)
    question = questions.get((message.plateforme, message.reponse_a)) if message.reponse_a else None
    faits = _faits(message, connus)
    personne = _personne(message, faits, question)
    compte = connus.comptes.get((message.plateforme, personne)) if personne else None
    lieu = connus.lieux.get((message.plateforme, message.espace.id))
    decision = trier(message, faits, en_pause=connus.en_pause(compte, lieu[0] if lieu else None))
    if not decision.admis:
        return exclu(message, decision.code)
    if personne is None:
        return exclu(message, "non_etiquete")
    poubelle = parle_poubelle(message, faits.nature_du_compte)
    motif = _motif_de_l_adresse(message, personne, compte, poubelle)
    if motif:
        return exclu(message, motif)
    candidat = Candidat(
        rang=entree.rang,
        message=message,
        personne=personne,
        poubelle=poubelle,
        prive=en_prive(message, faits),
        texte=decision.texte,
        expire_a=_expiration(message, connus, maintenant, question),
        espace_id=lieu[0] if lieu else None,
        compte_id=compte.id if compte else 0,
    )
    if candidat.poubelle and question is not None and question.vivante and not _du_meme_echange(candidat, question):
        return exclu(message, "non_etiquete")
    return _hors_du_temps(candidat, connus, maintenant, question) or _avis_manquant(candidat, connus) or candidat


def _motif_de_l_adresse(message: Message, personne: str, compte: CompteConnu | None, poubelle: bool) -> str:
    """Pourquoi ce message ne peut pas concerner cette Personne, ou chaîne vide."""
    if (message.plateforme, personne) in COMPTES_FICTIFS:
        return "anonyme"
    if poubelle and personne == message.auteur.id:
        return "non_etiquete"
    return "bot" if compte is not None and compte.nature != "personne" else ""


def _du_meme_echange(candidat: Candidat, question: Question) -> bool:
    """Une réponse et sa question ont même Personne, même espace et même visibilité ; sinon le bot se trompe."""
    return (question.externe_id, question.espace_id, question.visibilite) == (
        candidat.personne,
        candidat.espace_id,
        "prive" if candidat.prive else "public",
    )


def _expiration(message: Message, connus: Connus, maintenant: datetime, question: Question | None) -> datetime:
    propre = expiration(message.emis_le, maintenant, duree_annoncee(message.emis_le, connus.durees))
    return min(propre, question.expire_a) if question and question.vivante else propre


def _hors_du_temps(
    candidat: Candidat, connus: Connus, maintenant: datetime, question: Question | None
) -> Resultat | None:
    message = candidat.message
    if trop_en_avance(message.emis_le, maintenant):
        return exclu(message, "futur")
    efface = candidat.espace_id is not None and connus.efface_avant(
        candidat.espace_id, message.auteur.id, message.emis_le
    )
    concernee = connus.comptes.get(candidat.cle_de_la_personne)
    efface = efface or (concernee is not None and concernee.a_oublie(message.emis_le))
    orpheline = candidat.poubelle and question is not None and not question.vivante
    if orpheline:
        resultat = exclu(message, "supprime_avant")
        resultat.a_supprimer = [message.id]
        return resultat
    if efface or candidat.expire_a <= maintenant:
        resultat = exclu(message, "supprime_avant" if efface else "expire")
        # La question ne viendra plus : ses réponses, arrivées avant ou après elle, disparaissent aussi (CT-14).
        _, resultat.a_supprimer = retirer(message.plateforme, [message.id], maintenant)
        return resultat
    return None


def _avis_manquant(candidat: Candidat, connus: Connus) -> Resultat | None:
    if not candidat.prive:
        return None
    duree = connus.durees[0][1]
    compte = connus.comptes.get((candidat.message.plateforme, candidat.personne))
    if compte is not None and compte.avis_duree is not None and compte.avis_duree >= duree:
        return None
    resultat = exclu(candidat.message, "avis_requis")
    resultat.avis = avis.preparer(candidat.message.plateforme, candidat.personne, duree)
    return resultat


def _questions(messages: list[Message], connus: Connus) -> dict[Cle, Question]:
    """Questions visées par un groupe de réponses, verrouillées : leur suppression attendra la réponse, ou l'inverse.
    Le compte et les pauses de leurs Personnes sont lus aussi. Un message remplacé avant d'arriver reste inconnu."""
    cles = sorted({(m.plateforme, m.reponse_a) for m in messages if m.reponse_a})
    if not cles:
        return {}
    with connection.cursor() as curseur:
        curseur.execute(
            """SELECT i.plateforme, i.message_id, i.etat = 'vivante', i.expire_a, i.compte_id, i.espace_id, i.visibilite
               FROM memoire_interaction i JOIN unnest(%s::text[], %s::text[]) AS v(p, m)
                 ON i.plateforme = v.p AND i.message_id = v.m
               WHERE i.etat <> 'remplacee' ORDER BY i.id FOR SHARE OF i""",
            [[p for p, _ in cles], [m for _, m in cles]],
        )
        lignes = curseur.fetchall()
        curseur.execute(
            "SELECT id, plateforme, externe_id FROM horizon_compte WHERE id = ANY(%s)",
            [[ligne[4] for ligne in lignes if ligne[4]]],
        )
        auteurs = {pk: (plateforme, externe) for pk, plateforme, externe in curseur.fetchall()}
    ajouter_comptes(connus, set(auteurs.values()) - connus.comptes.keys())
    return {
        (p, m): Question(vivante, expire_a, auteurs.get(compte, ("", None))[1], espace, visibilite)
        for p, m, vivante, expire_a, compte, espace, visibilite in lignes
    }
