"""Identités : reconnaître les comptes d'un lot, revendiquer, lier, suspendre. Rien n'est deviné (ID-03)."""

import uuid
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction

from horizon import participants
from horizon.binaire import executer
from horizon.models import AncienPseudonyme, Compte, Identite, Pause, Utilisateur
from horizon.models.audit import Action
from horizon.noyau.decision import Acteur
from horizon.noyau.motifs import COMPTES_FICTIFS
from horizon.services.audit import tracer
from horizon.services.erreurs import Conflit, Refus
from horizon.services.espaces import verifier_identifiant

Cle = tuple[str, str]
"""(plateforme, identifiant externe)."""

LOT = 1000


def creer_manquants(cles: Iterable[Cle], *, maintenant: datetime) -> set[Cle]:
    """Crée, pour chaque couple encore inconnu, un compte de Personne et son Identité non revendiquée (ID-02).

    Deux créations simultanées n'en laissent qu'une : le compte est inséré d'abord, `ON CONFLICT` départage et
    verrouille celui qui existe, et seules les Identités des comptes réellement insérés sont créées (la clé étrangère
    n'est vérifiée qu'à la validation). Rend les couples créés ici.
    """
    tries = sorted(set(cles))
    if not tries:
        return set()
    lignes = executer(
        """INSERT INTO horizon_compte (plateforme, externe_id, nature, identite_id, pseudonyme)
           SELECT p, e, 'personne', i, '' FROM unnest(%b::text[], %b::text[], %b::uuid[]) AS t(p, e, i)
           ON CONFLICT (plateforme, externe_id) DO UPDATE SET plateforme = EXCLUDED.plateforme
           RETURNING plateforme, externe_id, identite_id, xmax = 0""",
        [p for p, _ in tries],
        [e for _, e in tries],
        [uuid.uuid4() for _ in tries],
    )
    neufs = {(p, e): identite for p, e, identite, neuf in lignes if neuf}
    Identite.objects.bulk_create([Identite(pk=pk, creee_le=maintenant) for pk in neufs.values()])
    if neufs:
        _rappeler_les_oublis(set(neufs))
    return set(neufs)


def _rappeler_les_oublis(cles: set[Cle]) -> None:
    """Un compte qui revient (restauration, Identité effacée, oubli d'un compte jamais vu) reste oublié jusqu'à la date
    de son oubli : un vieux message renvoyé ne rentre pas."""
    executer(
        """UPDATE horizon_compte c SET oublie_avant = o.le FROM (
             SELECT o.plateforme AS p, o.externe_id AS e, max(o.le) AS le FROM horizon_oubli o
             JOIN unnest(%b::text[], %b::text[]) AS v(p, e) ON o.plateforme = v.p AND o.externe_id = v.e
             WHERE o.nature = 'personne' GROUP BY 1, 2) o
           WHERE c.plateforme = o.p AND c.externe_id = o.e""",
        [p for p, _ in cles],
        [e for _, e in cles],
    )


def defaire(cles: Iterable[Cle]) -> None:
    """Supprime des comptes que la transaction en cours vient de créer et dont rien ne fut gardé."""
    for plateforme, externe_id in sorted(set(cles)):
        Identite.objects.filter(comptes__plateforme=plateforme, comptes__externe_id=externe_id).delete()


def configurer_compte(*, plateforme: str, externe_id: str, nature: str, par: Acteur, maintenant: datetime) -> Compte:
    """Déclare le compte de P.O.U.B.E.L.L.E. (`poubelle`), d'un autre bot (`bot`), ou le rend à une `personne`.

    Un compte revendiqué ne devient pas un bot : `Conflit`. L'Identité vide d'un compte devenu bot est supprimée.
    """
    verifier_identifiant(plateforme, externe_id)
    if nature not in Compte.Nature.values:
        raise Refus("role", "Le rôle d’un compte est « poubelle » ou « bot ».", 400)
    with transaction.atomic():
        compte = assurer([(plateforme, externe_id)], maintenant=maintenant)[plateforme, externe_id]
        _changer_nature(compte, nature, maintenant)
        tracer(
            Action.COMPTE_CONFIGURE, par=par, objet="compte", objet_id=compte.pk, maintenant=maintenant, motif=nature
        )
    return compte


def _changer_nature(compte: Compte, nature: str, maintenant: datetime) -> None:
    ancienne = compte.identite
    if ancienne is not None and ancienne.revendiquee_le and nature != Compte.Nature.PERSONNE:
        raise Conflit("revendique", "Ce compte est revendiqué par une Personne : il ne peut pas être celui d’un bot.")
    if nature == Compte.Nature.PERSONNE:
        compte.identite = ancienne or Identite.objects.create(creee_le=maintenant)
    else:
        compte.identite = None
    compte.nature = nature
    compte.save(update_fields=["nature", "identite"])
    if ancienne is not None and compte.identite is None:
        supprimer_si_orpheline(ancienne)


def supprimer_si_orpheline(identite: Identite) -> None:
    """Supprime une Identité non revendiquée qui n'a plus aucun compte."""
    if identite.revendiquee_le is None and not identite.comptes.exists():
        identite.delete()


def revendiquer(
    *, plateforme: str, externe_id: str, motif: str, par: Acteur, maintenant: datetime, lier: Sequence[Cle] = ()
) -> Identite:
    """Marque l'Identité d'un compte prouvé comme revendiquée, et y rattache d'autres comptes prouvés (ID-03, ID-11).

    Tout ou rien : un seul compte à lier déjà revendiqué ailleurs annule l'ensemble (`Conflit`, fusion par un SA).
    """
    if not motif.strip() or len(motif) > 120 or not motif.isprintable():
        raise Refus("motif", "Un motif de 1 à 120 caractères imprimables est exigé.", 400)
    cles = [(plateforme, externe_id), *lier]
    for cle in cles:
        verifier_personne(cle)
    with transaction.atomic():
        comptes = assurer(cles, maintenant=maintenant)
        principal = comptes[cles[0]]
        identite = principal.identite
        if identite is None:
            raise Conflit("bot", "Ce compte est celui d’un bot.")
        if identite.revendiquee_le is None:
            identite.revendiquee_le = maintenant
            identite.save(update_fields=["revendiquee_le"])
        tracer(
            Action.REVENDICATION, par=par, objet="identite", objet_id=identite.pk, maintenant=maintenant, motif=motif
        )
        for cle in cles[1:]:
            _lier(comptes[cle], identite, motif, par, maintenant)
    return identite


def verifier_personne(cle: Cle) -> None:
    """Lève `Refus` si ce couple ne peut pas désigner une Personne."""
    verifier_identifiant(*cle)
    if cle in COMPTES_FICTIFS:
        raise Refus("anonyme", "Ce compte fictif est partagé : il n’est jamais une Personne.", 400)


def assurer(cles: Sequence[Cle], *, maintenant: datetime) -> dict[Cle, Compte]:
    """Comptes verrouillés de ces couples, les inconnus créés. Ceux qui existent ne sont verrouillés qu'une fois, dans
    l'ordre de tous : créer d'abord les prendrait dans un autre ordre que l'ingestion."""
    voulues = set(cles)
    while True:
        comptes = verrouiller(cles)
        if voulues == comptes.keys():
            return comptes
        creer_manquants(voulues - comptes.keys(), maintenant=maintenant)


def verrouiller(cles: Sequence[Cle]) -> dict[Cle, Compte]:
    """Verrouille comptes puis identités, triés par clé primaire comme le fait l'ingestion : deux actes croisés
    s'attendent au lieu de se bloquer. Un couple inconnu est absent du résultat."""
    tries = sorted(set(cles))
    ids_de_comptes = [
        pk
        for (pk,) in executer(
            """SELECT c.id FROM horizon_compte c JOIN unnest(%b::text[], %b::text[]) AS v(p, e)
               ON c.plateforme = v.p AND c.externe_id = v.e""",
            [p for p, _ in tries],
            [e for _, e in tries],
        )
    ]
    comptes = {
        (c.plateforme, c.externe_id): c
        for c in Compte.objects.select_for_update().filter(pk__in=ids_de_comptes).order_by("pk")
    }
    ids = {c.identite_id for c in comptes.values() if c.identite_id}
    identites = {i.pk: i for i in Identite.objects.select_for_update().filter(pk__in=ids).order_by("pk")}
    for compte in comptes.values():
        if compte.identite_id:
            compte.identite = identites[compte.identite_id]
    return comptes


def _lier(compte: Compte, cible: Identite, motif: str, par: Acteur, maintenant: datetime) -> None:
    source = compte.identite
    if source is None:
        raise Conflit("bot", "Ce compte est celui d’un bot.")
    if source.pk == cible.pk:
        return
    if source.revendiquee_le is not None:
        raise Conflit(
            "fusion", "Ces deux Identités sont revendiquées : leur fusion se demande à un Super administrateur."
        )
    absorber(source, cible, maintenant=maintenant)
    tracer(Action.LIAISON, par=par, objet="identite", objet_id=cible.pk, maintenant=maintenant, motif=motif)


def absorber(source: Identite, cible: Identite, *, maintenant: datetime) -> None:
    """Déplace tout ce que détient `source` vers `cible`, puis supprime `source` (dans la transaction de l'appelant)."""
    for participant in participants.tous():
        participant.absorber(source.pk, cible.pk, maintenant)
    source.delete()


def absorber_comptes(source: uuid.UUID, cible: uuid.UUID) -> None:
    """Part des fondations dans une absorption : comptes, pauses (la plus large l'emporte), accès au Poste."""
    Compte.objects.filter(identite_id=source).update(identite_id=cible)
    deja = set(Pause.objects.filter(identite_id=cible).values_list("espace_id", flat=True))
    Pause.objects.filter(identite_id=source).exclude(espace_id__in=[e for e in deja if e]).exclude(
        **({"partout": True} if None in deja else {"pk": None})
    ).update(identite_id=cible)
    Utilisateur.objects.filter(identite_id=source).update(identite_id=cible)


def effacer_anciens_pseudonymes() -> int:
    """Efface chaque ancien pseudonyme qu'aucun contenu antérieur n'oblige plus à masquer (ID-05)."""
    effaces, apres = 0, 0
    while lot := list(
        AncienPseudonyme.objects.filter(pk__gt=apres).order_by("pk").values_list("pk", "compte_id", "remplace_le")[:LOT]
    ):
        apres = lot[-1][0]
        tenus = set().union(*(p.contenu_avant(lot) for p in participants.tous()))
        effaces += AncienPseudonyme.objects.filter(pk__in={pk for pk, _, _ in lot} - tenus).delete()[0]
    return effaces
