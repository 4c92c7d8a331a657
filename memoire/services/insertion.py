"""Insérer des messages admis : une requête par groupe, l'index unique départage."""

from datetime import datetime

import msgspec

from horizon.binaire import executer
from horizon.noyau.evenements import Resultat
from memoire.models.court import FINALITE
from memoire.services.candidats import Candidat, exclu

_INSERER = """
INSERT INTO memoire_interaction (plateforme, message_id, etat, espace_id, compte_id, auteur, auteur_externe, visibilite,
    contenu, contexte, action, resultat, reponse_a, finalite, emis_le, recu_le, expire_a)
SELECT p, m, 'vivante', s, c, a, ax, v, t, x::jsonb, ac, re, q, %b, e, %b, f
FROM unnest(%b::text[], %b::text[], %b::bigint[], %b::bigint[], %b::text[], %b::text[], %b::text[], %b::text[],
    %b::text[], %b::text[], %b::text[], %b::text[], %b::timestamptz[], %b::timestamptz[])
    AS n(p, m, s, c, a, ax, v, t, x, ac, re, q, e, f)
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
        m.auteur.id if candidat.poubelle else None,
        "prive" if candidat.prive else "public",
        candidat.texte,
        contexte,
        m.action,
        m.resultat,
        m.reponse_a,
        m.emis_le,
        candidat.expire_a,
    )


def inserer(candidats: list[Candidat], maintenant: datetime, resultats: dict[int, Resultat]) -> list[Candidat]:
    """Insère le groupe en une requête, triée par clé ; remplit les résultats et rend ceux réellement gardés."""
    if not candidats:
        return []
    # De deux copies dans un même lot, la première gagne.
    tries = sorted(candidats, key=lambda c: (c.cle, c.rang))
    colonnes = [list(colonne) for colonne in zip(*map(_colonnes, tries), strict=True)]
    inserees = set(executer(_INSERER, FINALITE, maintenant, *colonnes))
    gardes, deja = [], []
    for candidat in tries:
        if candidat.cle in inserees:
            inserees.discard(candidat.cle)
            gardes.append(candidat)
            resultats[candidat.rang] = Resultat(id=candidat.message.id, statut="memorise", expire_le=candidat.expire_a)
        else:
            deja.append(candidat)
    _abreger_reponses([c for c in gardes if not c.poubelle])
    resultats |= _deja_la(deja, maintenant)
    return gardes


def _deja_la(candidats: list[Candidat], maintenant: datetime) -> dict[int, Resultat]:
    """Ce que la mémoire sait d'un message déjà vu : vivant (doublon), supprimé, ou expiré."""
    if not candidats:
        return {}
    trouvees = executer(
        """SELECT i.plateforme, i.message_id, i.etat, i.expire_a FROM memoire_interaction i
           JOIN unnest(%b::text[], %b::text[]) AS v(p, m) ON i.plateforme = v.p AND i.message_id = v.m""",
        [c.message.plateforme for c in candidats],
        [c.message.id for c in candidats],
    )
    lignes = {(p, m): (etat, expire_a) for p, m, etat, expire_a in trouvees}
    resultats = {}
    for candidat in candidats:
        etat, expire_a = lignes.get(candidat.cle, ("vivante", maintenant))
        if etat != "vivante":
            resultats[candidat.rang] = exclu(candidat.message, "supprime_avant")
        elif expire_a <= maintenant:
            resultats[candidat.rang] = exclu(candidat.message, "expire")
        else:
            resultats[candidat.rang] = Resultat(id=candidat.message.id, statut="doublon", expire_le=expire_a)
    return resultats


def _abreger_reponses(questions: list[Candidat]) -> None:
    """Une réponse arrivée avant sa question n'expire pas après elle (CT-14)."""
    if not questions:
        return
    executer(
        """UPDATE memoire_interaction r SET expire_a = q.f
           FROM unnest(%b::text[], %b::text[], %b::timestamptz[]) AS q(p, m, f)
           WHERE r.plateforme = q.p AND r.reponse_a = q.m AND r.auteur = 'poubelle' AND r.expire_a > q.f""",
        [c.message.plateforme for c in questions],
        [c.message.id for c in questions],
        [c.expire_a for c in questions],
    )
