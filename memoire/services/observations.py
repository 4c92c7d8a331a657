"""Observations : une concordance renforce, une contradiction affaiblit, puis, répétée, remplace (CF-02 à CF-08)."""

from dataclasses import replace
from datetime import datetime

from django.db import transaction

from horizon.noyau.decision import Acteur
from memoire.models import Souvenir
from memoire.noyau import confiance
from memoire.noyau.categories import CATEGORIES
from memoire.noyau.souvenirs import Effet, Faits, Issue, observer
from memoire.services import personnes, temoins
from memoire.services.decisions import compter
from memoire.services.personnes import Connue
from memoire.services.souvenirs import Ecriture, Rendu, appliquer, instruire, lieu


def noter(ecriture: Ecriture, sens: str, reference: str, *, par: Acteur, maintenant: datetime) -> Rendu:
    """Applique une observation au souvenir de sa catégorie. `ecriture.contenu` vide : rien ne peut le remplacer."""
    with transaction.atomic():
        rendu = _noter(ecriture, sens, reference, par, maintenant)
        categorie = ecriture.categorie if ecriture.categorie in CATEGORIES else ""
        compter(rendu.issue, origine="observation", categorie=categorie, maintenant=maintenant)
        return rendu


def _noter(ecriture: Ecriture, sens: str, reference: str, par: Acteur, maintenant: datetime) -> Rendu:
    if ecriture.categorie not in CATEGORIES:
        return Rendu(Issue(Effet.REFUSE, "categorie_inconnue"))
    personne = personnes.verrouillee(ecriture.personne)
    actuel = personnes.souvenir_de(personne, ecriture.categorie)
    espace = lieu(ecriture)
    faits = personnes.faits(personne, ecriture.categorie, espace, actuel)
    issue = observer(sens, ecriture.fiabilite, faits, deja_vue=False)
    if issue.effet is Effet.REFUSE or personne is None or actuel is None:
        return Rendu(issue)
    if not temoins.noter_reference(personne.pk, ecriture.categorie, reference, maintenant):
        return Rendu(observer(sens, ecriture.fiabilite, faits, deja_vue=True))
    if ecriture.fiabilite:
        _ecrire(actuel, issue, sens)
    if sens == "contradiction" and ecriture.contenu:
        return _remplacer(ecriture, personne, actuel, issue, faits, par, maintenant)
    return Rendu(issue)


def _ecrire(souvenir: Souvenir, issue: Issue, sens: str) -> None:
    souvenir.confiance = issue.confiance
    souvenir.contradictions = max(0, souvenir.contradictions + (1 if sens == "contradiction" else -1))
    souvenir.save(update_fields=["confiance", "contradictions"])


def _remplacer(
    ecriture: Ecriture,
    personne: Connue,
    actuel: Souvenir,
    affaibli: Issue,
    faits: Faits,
    par: Acteur,
    maintenant: datetime,
) -> Rendu:
    """Après assez de contradictions, ce que dit la dernière passe les mêmes contrôles qu'une proposition."""
    nee_d_une_demande = faits.actuel is not None and faits.actuel.nee_d_une_demande
    if not confiance.peut_remplacer(actuel.confiance, nee_d_une_demande, actuel.contradictions, ecriture.fiabilite):
        return Rendu(affaibli)
    dossier = instruire(ecriture, maintenant)
    if dossier.issue.effet is not Effet.ENREGISTRE:
        # Ce que l'observation propose est refusé ou demanderait un accord : elle n'aura fait qu'affaiblir.
        return Rendu(affaibli, dossier.avis)
    appliquer(dossier, par, maintenant)
    return Rendu(replace(dossier.issue, effet=Effet.REMPLACE), dossier.avis, remplace=True)
