"""Espaces : configurer, retirer, fermer, rouvrir. Le verrou de la ligne d'espace ordonne ces actes et l'ingestion."""

from collections.abc import Sequence
from datetime import datetime

from django.db import connection, transaction

from horizon.models import Espace
from horizon.models.audit import Action
from horizon.noyau.decision import Acteur
from horizon.noyau.motifs import PLATEFORMES
from horizon.noyau.natif import Fil
from horizon.noyau.texte import gardable, identifiant_recevable
from horizon.services.audit import tracer
from horizon.services.erreurs import Refus


def configurer(
    *, plateforme: str, externe_id: str, visibilite: str, par: Acteur, maintenant: datetime, nom: str = ""
) -> Espace:
    """Rend un espace mémorisable (ou change sa visibilité ou son nom) ; lève `Refus` sur une entrée malformée."""
    verifier_identifiant(plateforme, externe_id)
    if visibilite not in Espace.Visibilite.values:
        raise Refus("visibilite", "La visibilité est « public » ou « prive ».", 400)
    if len(nom) > 100 or not gardable(nom):
        raise Refus("nom", "Le nom d’un espace compte au plus 100 caractères.", 400)
    with transaction.atomic():
        espace, _ = Espace.objects.get_or_create(
            plateforme=plateforme, externe_id=externe_id, defaults={"visibilite": visibilite}
        )
        espace = Espace.objects.select_for_update().get(pk=espace.pk)
        espace.visibilite = visibilite
        espace.configuration = Espace.Configuration.MEMORISE
        espace.nom = nom or espace.nom
        espace.save(update_fields=["visibilite", "configuration", "nom"])
        tracer(
            Action.ESPACE_CONFIGURE,
            par=par,
            objet="espace",
            objet_id=espace.pk,
            maintenant=maintenant,
            motif=visibilite,
        )
    return espace


def retirer(*, plateforme: str, externe_id: str, par: Acteur, maintenant: datetime) -> None:
    """Cesse de mémoriser un espace ; ce qui y fut gardé expire à son heure. Déjà retiré : rien. Inconnu : `Refus`."""
    with transaction.atomic():
        espace = Espace.objects.select_for_update().filter(plateforme=plateforme, externe_id=externe_id).first()
        if espace is None:
            raise Refus("inconnu", "Cet espace n’est pas configuré.", 404)
        if espace.configuration == Espace.Configuration.RETIRE:
            return
        espace.configuration = Espace.Configuration.RETIRE
        espace.save(update_fields=["configuration"])
        tracer(Action.ESPACE_RETIRE, par=par, objet="espace", objet_id=espace.pk, maintenant=maintenant)


def fermer(*, espace_id: int, par: Acteur, maintenant: datetime) -> None:
    """Le Capitaine suspend la mémorisation d'un espace (ID-09). Déjà fermé : sans effet."""
    _basculer(espace_id, maintenant, Action.ESPACE_FERME, par, maintenant)


def rouvrir(*, espace_id: int, par: Acteur, maintenant: datetime) -> None:
    """Lève la fermeture d'un espace. Déjà ouvert : sans effet."""
    _basculer(espace_id, None, Action.ESPACE_ROUVERT, par, maintenant)


def _basculer(espace_id: int, ferme_le: datetime | None, action: Action, par: Acteur, maintenant: datetime) -> None:
    with transaction.atomic():
        espace = Espace.objects.select_for_update().filter(pk=espace_id).first()
        if espace is None:
            raise Refus("inconnu", "Cet espace n’existe pas.", 404)
        if (espace.ferme_le is None) == (ferme_le is None):
            return
        espace.ferme_le = ferme_le
        espace.save(update_fields=["ferme_le"])
        tracer(action, par=par, objet="espace", objet_id=espace.pk, maintenant=maintenant)


def verifier_identifiant(plateforme: str, externe_id: str) -> None:
    """Lève `Refus` si la plateforme est inconnue ou l'identifiant irrecevable."""
    if plateforme not in PLATEFORMES:
        raise Refus("plateforme", f"La plateforme est l’une de : {', '.join(PLATEFORMES)}.", 400)
    if len(externe_id) > 128 or not identifiant_recevable(externe_id):
        raise Refus(
            "identifiant", "L’identifiant externe est fait de 1 à 128 caractères imprimables, sans espace.", 400
        )


def assurer_espace(plateforme: str, externe_id: str) -> int:
    """Clé de la ligne d'un espace, verrouillée ; créée non configurée et non listée (`prive`) si elle manque.

    Un verrou, une pause ou des barrières peuvent s'y poser. Le ménage l'ôte quand plus rien n'y est attaché.
    """
    with connection.cursor() as curseur:
        curseur.execute(
            """INSERT INTO horizon_espace (plateforme, externe_id, nom, parent_externe, visibilite, configuration)
               VALUES (%s, %s, '', '', 'prive', 'inconnu')
               ON CONFLICT (plateforme, externe_id) DO UPDATE SET plateforme = EXCLUDED.plateforme RETURNING id""",
            [plateforme, externe_id],
        )
        return int(curseur.fetchone()[0])


def noter_fils(plateforme: str, fils: Sequence[Fil]) -> None:
    """Retient le salon de chaque fil. Un échange privé n'est jamais un fil ; un fil privé ne redevient pas public."""
    par_id = {fil.id: fil for fil in fils}
    tries = [par_id[ident] for ident in sorted(par_id)]
    if not tries:
        return
    with connection.cursor() as curseur:
        curseur.execute(
            """INSERT INTO horizon_espace AS s (plateforme, externe_id, nom, parent_externe, visibilite, configuration)
               SELECT %s, f, '', p, v, 'inconnu' FROM unnest(%s::text[], %s::text[], %s::text[]) AS t(f, p, v)
               ON CONFLICT (plateforme, externe_id) DO UPDATE SET parent_externe = EXCLUDED.parent_externe,
                   visibilite = CASE WHEN EXCLUDED.visibilite = 'prive' THEN 'prive'
                       WHEN s.parent_externe = '' AND s.configuration = 'inconnu' THEN EXCLUDED.visibilite
                       ELSE s.visibilite END
               WHERE s.interlocuteur_id IS NULL AND (s.parent_externe <> EXCLUDED.parent_externe
                   OR (EXCLUDED.visibilite = 'prive' AND s.visibilite <> 'prive'))""",
            [
                plateforme,
                [f.id for f in tries],
                [f.parent for f in tries],
                ["prive" if f.prive else "public" for f in tries],
            ],
        )
