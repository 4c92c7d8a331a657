"""Réception d'un lot par les statistiques : chaque observation est jugée, comptée une fois, rangée sans contenu."""

from collections.abc import Iterable, Sequence

from horizon.noyau.evenements import (
    ActiviteWeb,
    Arrivee,
    Champ,
    Direct,
    Participation,
    Presence,
    Recu,
    Resultat,
    espace_de,
)
from horizon.noyau.motifs import COMPTES_FICTIFS
from horizon.participants import Entree, Lot
from horizon.services.identites import Cle
from horizon.services.reconnaissance import Reconnus, ajouter_comptes, lire_lieux
from statistiques.noyau.mesures import DISTINCTES, Mesure, mesurer
from statistiques.noyau.tri import Faits, trier
from statistiques.services.directs import Bornes, CleDeDirect, connaitre, noter
from statistiques.services.rangement import Observee, ranger
from statistiques.services.unicite import ecarter_connues, empreinte, marquer

TYPES = (Direct, Arrivee, Presence, Participation, ActiviteWeb)
Retenue = tuple[Entree, Mesure, Observee]


def recevoir(lot: Lot) -> None:
    """Traite les observations du lot et remplit leurs résultats, en un nombre constant de requêtes.

    Les directs passent les premiers : une arrivée du même lot connaît alors le début du sien, où qu'il soit annoncé.
    """
    entrees = [e for e in lot.entrees if isinstance(e.evenement, TYPES)]
    if not entrees:
        return
    connus = _rassembler([e.evenement for e in entrees])
    directs = [e for e in entrees if isinstance(e.evenement, Direct)]
    bornes = _bornes(entrees, connus)
    lot.resultats |= noter(directs, connus, bornes, lot.maintenant)
    retenues = []
    for entree in entrees:
        if not isinstance(entree.evenement, Direct):
            issue = _examiner(entree, connus, bornes, lot)
            if isinstance(issue, Resultat):
                lot.resultats[entree.rang] = issue
            else:
                retenues.append(issue)
    lot.resultats |= _compter(retenues)


def _rassembler(evenements: Iterable[Recu]) -> Reconnus:
    connus = Reconnus()
    lieux: set[Cle] = set()
    comptes: set[Cle] = set()
    for e in evenements:
        if espace := espace_de(e):
            lieux.add((e.plateforme, espace.id))
        if cle := _auteur(e):
            comptes.add(cle)
    ajouter_comptes(connus, comptes)
    lire_lieux(connus, lieux, ecrire=False)
    return connus


def _auteur(evenement: Recu) -> Cle | None:
    auteur = getattr(evenement, "auteur", None)
    return (evenement.plateforme, auteur.id) if auteur else None


def _lieu(evenement: Recu, connus: Reconnus) -> int | None:
    espace = espace_de(evenement)
    lieu = connus.lieux.get((evenement.plateforme, espace.id)) if espace else None
    return lieu[0] if lieu else None


def _bornes(entrees: Sequence[Entree], connus: Reconnus) -> dict[CleDeDirect, Bornes]:
    cles: set[CleDeDirect] = set()
    ecrire: set[int] = set()
    for evenement in (e.evenement for e in entrees):
        espace_id = _lieu(evenement, connus)
        if espace_id is None:
            continue
        if isinstance(evenement, Direct):
            cles.add((espace_id, evenement.id))
            ecrire.add(espace_id)
        elif isinstance(evenement, Arrivee):
            cles.add((espace_id, evenement.direct))
    return connaitre(cles, ecrire=ecrire)


def _examiner(entree: Entree, connus: Reconnus, bornes: dict[CleDeDirect, Bornes], lot: Lot) -> Retenue | Resultat:
    """Une observation à compter, ou le résultat qui l'écarte."""
    evenement = entree.evenement
    mesure = mesurer(evenement)
    cle = _auteur(evenement)
    assert cle is not None
    compte = connus.comptes.get(cle)
    espace = espace_de(evenement)
    lieu = connus.lieux.get((evenement.plateforme, espace.id)) if espace else None
    faits = Faits(
        plateforme=evenement.plateforme,
        reconnue=compte is not None and compte.revendiquee and cle not in COMPTES_FICTIFS,
        situee=espace is not None,
        lieu=lieu[1] if lieu else None,
        en_pause=connus.en_pause(compte, lieu[0] if lieu else None),
    )
    statut, motif = trier(mesure, faits, lot.maintenant)
    if statut == "compte" and compte is not None and compte.a_oublie(mesure.instant):
        # Une observation d'avant un oubli total, rejouée, ne refait rien compter (DR-03).
        statut, motif = "ignore", None
    if statut != "compte" or compte is None or compte.identite is None:
        champs = [Champ("debut", "forme")] if statut == "invalide" else []
        return _resultat(entree, statut, motif, champs)
    repere = mesure.repere
    if isinstance(evenement, Arrivee) and lieu:
        repere = bornes.get((lieu[0], evenement.direct), (None, None))[0]
    return entree, mesure, Observee(compte.identite, evenement.plateforme, mesure.code, mesure.instant, repere)


def _resultat(entree: Entree, statut: str, motif: str | None = None, champs: Sequence[Champ] = ()) -> Resultat:
    identifiant = getattr(entree.evenement, "id", None)
    return Resultat(id=identifiant, statut=statut, motif=motif, champs=list(champs))  # type: ignore[arg-type]


def _compter(retenues: Sequence[Retenue]) -> dict[int, Resultat]:
    """Range ce qui n'a pas déjà compté : `compte` ou `doublon` pour chaque observation retenue."""
    par_instant = [r for r in retenues if r[1].code in DISTINCTES]
    par_marque = [r for r in retenues if r[1].code not in DISTINCTES]
    neuves = ecarter_connues([observee for _, _, observee in par_instant])
    apprennent = [r for r, neuve in zip(par_instant, neuves, strict=True) if neuve]
    premieres = _premieres(par_marque)
    ranger([observee for _, _, observee in apprennent], distinctes=True)
    ranger([observee for _, _, observee in premieres])
    comptees = {entree.rang for entree, _, _ in (*apprennent, *premieres)}
    return {e.rang: _resultat(e, "compte" if e.rang in comptees else "doublon") for e, _, _ in retenues}


def _premieres(retenues: Sequence[Retenue]) -> list[Retenue]:
    """Les observations dont la marque vient d'être posée."""
    marques = [(o.identite, _empreinte(entree, mesure), o.instant) for entree, mesure, o in retenues]
    posees = marquer(marques)
    premieres = []
    for retenue, (identite, marque, _) in zip(retenues, marques, strict=True):
        if (identite, marque) in posees:
            posees.discard((identite, marque))
            premieres.append(retenue)
    return premieres


def _empreinte(entree: Entree, mesure: Mesure) -> int:
    cle = _auteur(entree.evenement)
    assert cle is not None
    assert mesure.unique is not None
    return empreinte(*cle, *mesure.unique)
