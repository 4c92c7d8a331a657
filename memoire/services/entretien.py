"""Entretien de la mémoire longue : ce qui attendait un accord échoit, ce qu'une nouvelle règle interdit est retiré."""

from datetime import datetime, timedelta

from django.db import transaction

from horizon.models.audit import Action
from horizon.noyau.decision import Acteur
from horizon.noyau.sensibilite import VERSION, Verdict, examiner
from horizon.selectors.pseudonymes import pseudonymes_cites
from horizon.services.audit import tracer
from memoire.models import DecisionNoyau, Hypothese, Proposition, Source, Souvenir, Temoin

DECISIONS_GARDEES = timedelta(days=7)
TEMOINS_GARDES = timedelta(days=93)
LOT = 200


def purger(maintenant: datetime) -> int:
    """Efface propositions, hypothèses et sources échues ; rend le nombre de contenus effacés."""
    effaces = 0
    for modele in (Hypothese, Proposition):
        effaces += modele.objects.filter(expire_a__lte=maintenant).delete()[1].get(f"memoire.{modele.__name__}", 0)
    Source.objects.filter(expire_a__lte=maintenant).delete()
    DecisionNoyau.objects.filter(heure__lt=maintenant - DECISIONS_GARDEES).delete()
    Temoin.objects.filter(vu_le__lt=maintenant - TEMOINS_GARDES).delete()
    return effaces


def relire(*, par: Acteur, maintenant: datetime) -> int:
    """Relit les souvenirs qu'une autre version du garde avait admis ; retire ce qui est devenu interdit (SE-11).

    Une vigilance nouvelle ne retire rien : la Personne l'avait déjà accepté. Rend le nombre de souvenirs retirés.
    """
    retires, apres = 0, 0
    while lot := list(
        Souvenir.objects.exclude(garde=VERSION).filter(pk__gt=apres).order_by("pk").values_list("pk", flat=True)[:LOT]
    ):
        apres = lot[-1]
        retires += sum(_relire_un(pk, par, maintenant) for pk in lot)
    return retires


def _relire_un(pk: int, par: Acteur, maintenant: datetime) -> bool:
    with transaction.atomic():
        souvenir = Souvenir.objects.select_for_update().filter(pk=pk).first()
        if souvenir is None or souvenir.garde == VERSION:
            return False
        avis = examiner(
            souvenir.contenu,
            origine=souvenir.origine,
            categorie=souvenir.categorie,
            pseudonymes=pseudonymes_cites(souvenir.contenu, sauf=souvenir.identite_id),
        )
        if avis.decision is not Verdict.REFUS:
            souvenir.garde = VERSION
            souvenir.save(update_fields=["garde"])
            return False
        tracer(
            Action.SOUVENIR_RETIRE,
            par=par,
            objet="identite",
            objet_id=souvenir.identite_id,
            maintenant=maintenant,
            motif=f"{souvenir.categorie} {avis.categorie}",
        )
        souvenir.delete()
        return True
