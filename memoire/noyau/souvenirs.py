"""Le Noyau de la mémoire longue : ce qui peut devenir un souvenir, et sinon pourquoi. Python pur, déterministe.

Ordre fixe (LT-05) : éligibilité → catégorie → sensibilité → longueur et recopie → permission → limites → décision. Le
premier obstacle donne le motif ; rien d'autre que ces faits n'entre dans la décision (NO-06).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from horizon.noyau.sensibilite import Avis, Verdict
from horizon.noyau.texte import sans_invisibles_en_tete
from memoire.noyau import confiance
from memoire.noyau.categories import CATEGORIES, LONGUEUR_MAX, Origine
from memoire.noyau.motifs import REFUS
from memoire.noyau.recopie import donnee_globale, meme_sens, recopie


class Effet(StrEnum):
    """Ce que le service doit écrire."""

    REFUSE = "refuse"
    VALIDATION = "validation_requise"
    ENREGISTRE = "accepte"
    CONSERVE = "conserve"
    RENFORCE = "renforce"
    AFFAIBLIT = "affaibli"
    REMPLACE = "remplace"
    DEJA_VU = "deja_vu"


@dataclass(frozen=True, slots=True)
class Source:
    """Un message invoqué, tel que la mémoire courte le connaît. `contenu` : None s'il n'est plus lisible. `emis_le` :
    jamais après sa réception, quoi qu'en dise l'horloge de la plateforme."""

    etat: str
    contenu: str | None = None
    emis_le: datetime | None = None
    de_la_personne: bool = False
    prive: bool = False


@dataclass(frozen=True, slots=True)
class SouvenirConnu:
    """Le souvenir déjà présent dans la catégorie."""

    contenu: str
    confiance: int
    contradictions: int
    nee_d_une_demande: bool
    gele: bool


@dataclass(frozen=True, slots=True)
class Faits:
    """Ce que le serveur sait de la Personne au moment de décider. `oublie_avant` : dernier oubli de cette catégorie."""

    revendiquee: bool
    en_pause: bool = False
    espace_ferme: bool = False
    oublie_avant: datetime | None = None
    actuel: SouvenirConnu | None = None


@dataclass(frozen=True, slots=True)
class Candidature:
    """Un texte qui voudrait devenir un souvenir. `validee` : l'avertissement a reçu son accord (SE-03). `soumise_le` :
    instant où l'appel est arrivé, avant toute attente."""

    origine: Origine
    categorie: str
    contenu: str
    fiabilite: int
    sources: Sequence[Source] = ()
    validee: bool = False
    correction: bool = False
    soumise_le: datetime | None = None


@dataclass(frozen=True, slots=True)
class Issue:
    """La décision : un effet, un motif stable s'il est refusé, la confiance à écrire."""

    effet: Effet
    motif: str = ""
    confiance: int = 0
    valide_par: str = ""

    @property
    def phrase(self) -> str:
        """Le motif en français, sans le texte soumis."""
        return REFUS.get(self.motif, "")


def juger(candidature: Candidature, faits: Faits, avis: Avis) -> Issue:
    """La décision du Noyau sur une demande, une proposition, une règle ou l'intervention d'un SA."""
    motif = (
        _eligibilite(candidature, faits)
        or _categorie(candidature)
        or ("sensible" if avis.decision is Verdict.REFUS else "")
        or _forme(candidature)
        or _permission(candidature, faits)
        or _limites(candidature, faits)
    )
    if motif:
        return Issue(Effet.REFUSE, motif)
    if avis.decision is Verdict.VIGILANCE and not candidature.validee:
        return Issue(Effet.VALIDATION, valide_par="sa" if avis.soupcon_de_refus else "personne")
    return _decider(candidature, faits.actuel)


def _eligibilite(c: Candidature, faits: Faits) -> str:
    if not faits.revendiquee:
        return "non_revendiquee"
    if faits.en_pause:
        return "pause"
    # Corriger est un droit : la fermeture d'un lieu ne l'ôte pas.
    return "espace_ferme" if faits.espace_ferme and not c.correction else ""


def _categorie(c: Candidature) -> str:
    connue = CATEGORIES.get(c.categorie)
    if connue is None:
        return "categorie_inconnue"
    return "" if c.origine in connue.origines else "origine_non_admise"


def _forme(c: Candidature) -> str:
    if not sans_invisibles_en_tete(c.contenu):
        return "vide"
    if len(c.contenu) > LONGUEUR_MAX:
        return "trop_long"
    if donnee_globale(c.contenu):
        return "donnee_globale"
    return "recopie" if recopie(c.contenu, (s.contenu for s in c.sources if s.contenu)) else ""


def _permission(c: Candidature, faits: Faits) -> str:
    """Sur quoi l'écriture se fonde : des messages vivants de cette Personne, postérieurs à son dernier oubli."""
    etats = {s.etat for s in c.sources}
    if "supprimee" in etats:
        return "source_supprimee"
    if any(s.etat == "vivante" and not s.de_la_personne for s in c.sources):
        return "source_d_autrui"
    if c.origine is Origine.PROPOSITION and (not c.sources or "inconnue" in etats):
        return "source_absente"
    return "oublie" if _fondee_sur_l_oublie(c, faits) else ""


def _fondee_sur_l_oublie(c: Candidature, faits: Faits) -> bool:
    """Vrai si rien de ce qui est invoqué n'est postérieur à l'oubli (DR-03), ou si l'appel était déjà en route quand il
    fut prononcé. Une demande arrivée depuis ne se fonde que sur elle-même."""
    if faits.oublie_avant is None:
        return False
    if c.soumise_le is not None and c.soumise_le <= faits.oublie_avant:
        return True
    dates = [s.emis_le for s in c.sources if s.emis_le is not None]
    if c.origine in (Origine.DEMANDE, Origine.SA):
        return bool(dates) and max(dates) <= faits.oublie_avant
    return not dates or min(dates) <= faits.oublie_avant


def _limites(c: Candidature, faits: Faits) -> str:
    if faits.actuel is not None and faits.actuel.gele and not _de_la_personne(c):
        return "gele"
    if c.origine in (Origine.DEMANDE, Origine.SA):
        return ""
    if c.fiabilite < confiance.FIABILITE_MINIMALE:
        return "fiabilite_insuffisante"
    requises = CATEGORIES[c.categorie].observations_minimales
    return "observations_insuffisantes" if c.origine is Origine.PROPOSITION and len(c.sources) < requises else ""


def _de_la_personne(c: Candidature) -> bool:
    return c.origine is Origine.DEMANDE


def _decider(c: Candidature, actuel: SouvenirConnu | None) -> Issue:
    neuve = confiance.CORRECTION if c.correction else confiance.initiale(c.origine, c.fiabilite)
    if actuel is None or c.origine in (Origine.DEMANDE, Origine.SA):
        return Issue(Effet.ENREGISTRE, confiance=neuve)
    if meme_sens(c.contenu, actuel.contenu):
        return Issue(Effet.RENFORCE, confiance=confiance.renforcer(actuel.confiance, c.fiabilite))
    if confiance.peut_remplacer(actuel.confiance, actuel.nee_d_une_demande, actuel.contradictions, c.fiabilite):
        return Issue(Effet.ENREGISTRE, confiance=neuve)
    return Issue(Effet.CONSERVE, confiance=actuel.confiance)


def observer(sens: str, fiabilite: int, faits: Faits, deja_vue: bool) -> Issue:
    """Ce qu'une observation fait à la confiance d'un souvenir (CF-02, CF-03, CF-06, CF-07)."""
    if not faits.revendiquee:
        return Issue(Effet.REFUSE, "non_revendiquee")
    if faits.en_pause:
        return Issue(Effet.REFUSE, "pause")
    if faits.espace_ferme:
        return Issue(Effet.REFUSE, "espace_ferme")
    if faits.actuel is None:
        return Issue(Effet.REFUSE, "aucun_souvenir")
    if faits.actuel.gele:
        return Issue(Effet.REFUSE, "gele")
    if deja_vue:
        return Issue(Effet.DEJA_VU, confiance=faits.actuel.confiance)
    if sens == "concordance":
        return Issue(Effet.RENFORCE, confiance=confiance.renforcer(faits.actuel.confiance, fiabilite))
    return Issue(Effet.AFFAIBLIT, confiance=confiance.affaiblir(faits.actuel.confiance, fiabilite))
