"""Recevoir une charge native : une fois ramenée au neutre, elle suit le chemin de tout lot.

Ce que la traduction ne peut pas savoir se règle ici : quels espaces un bannissement ou la suppression d'un salon
touche, et si une notification signée a déjà été traitée.
"""

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec
import structlog
from django.db import connection, transaction

from horizon import participants
from horizon.models.audit import Action
from horizon.noyau.decision import Acteur
from horizon.noyau.evenements import Espace, PurgeAuteur, Recu, Reference, Resultat, Vidage
from horizon.noyau.motifs import PLATEFORMES
from horizon.noyau.natif import Traduction
from horizon.selectors.fils import espaces_publics, fils_du_salon
from horizon.services.audit import tracer
from horizon.services.espaces import noter_fils
from horizon.services.evenements import recevoir

journal = structlog.get_logger(__name__)
MEMOIRE_DES_LIVRAISONS = timedelta(hours=1)
"""Bien plus que l'âge admis d'une notification : tant qu'une redélivrance est recevable, elle est reconnue."""


def recevoir_traduction(
    traduction: Traduction, *, plateforme: str, bot_id: int | None, maintenant: datetime
) -> list[Resultat]:
    """Les résultats d'une charge ; au moins un. Ce que rien ne traite encore (un direct, un raid) est sans effet."""
    noter_fils(plateforme, traduction.fils)
    etendus = _etendus(traduction, plateforme)
    evenements = [_borner(e, maintenant) for e in (*traduction.evenements, *etendus) if participants.recepteur(e)]
    resultats = recevoir(evenements, bot_id=bot_id, plateformes=PLATEFORMES, maintenant=maintenant)
    if traduction.banni or traduction.salon_supprime:
        return [_fondre(resultats)]
    return resultats or [Resultat(statut="ignore")]


def _etendus(traduction: Traduction, plateforme: str) -> list[Recu]:
    """Un bannissement vaut pour chaque espace public ; la suppression d'un salon, pour lui et ses fils."""
    if traduction.banni:
        banni = Reference(traduction.banni)
        return [PurgeAuteur(plateforme, Espace(e, "public"), banni) for e in espaces_publics(plateforme)]  # type: ignore[arg-type]
    if salon := traduction.salon_supprime:
        fils = [Espace(fil, salon.visibilite) for fil in fils_du_salon(plateforme, salon.id)]
        return [Vidage(plateforme, espace) for espace in (salon, *fils)]  # type: ignore[arg-type]
    return []


def _borner(evenement: Recu, maintenant: datetime) -> Recu:
    """Une plateforme dont l'horloge avance ne fait pas refuser un effacement : il vaut jusqu'à maintenant."""
    if isinstance(evenement, PurgeAuteur | Vidage) and evenement.jusqu_a is not None:
        return msgspec.structs.replace(evenement, jusqu_a=min(evenement.jusqu_a, maintenant))
    return evenement


def _fondre(resultats: Sequence[Resultat]) -> Resultat:
    return Resultat(
        statut="supprime",
        nombre=sum(r.nombre or 0 for r in resultats),
        a_supprimer=[ident for r in resultats for ident in r.a_supprimer],
    )


def premiere_livraison(identifiant: str, *, maintenant: datetime, emise_le: datetime | None = None) -> bool:
    """Vrai une seule fois par identifiant de notification. La marque est posée dans la transaction de l'effet : une
    redélivrance simultanée attend la première, et la remplace si elle échoue."""
    cle = hashlib.sha256(identifiant.encode()).hexdigest()
    expire_a = max(maintenant, emise_le or maintenant) + MEMOIRE_DES_LIVRAISONS
    with connection.cursor() as curseur:
        curseur.execute(
            "INSERT INTO horizon_livraison (cle, expire_a) VALUES (%s, %s) ON CONFLICT (cle) DO NOTHING",
            [cle, expire_a],
        )
        return curseur.rowcount == 1


def alerter_revocation(abonnement: str, statut: str, *, par: Acteur, maintenant: datetime) -> None:
    """Un abonnement révoqué : tant qu'il l'est, des suppressions peuvent nous échapper. Codes fermés seulement."""
    with transaction.atomic():
        tracer(
            Action.ABONNEMENT_REVOQUE,
            par=par,
            objet="abonnement",
            objet_id=abonnement,
            maintenant=maintenant,
            motif=statut,
        )
    journal.error("abonnement_revoque", abonnement=abonnement, statut=statut)
