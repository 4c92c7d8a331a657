"""Écrire un souvenir : le Noyau décide, ce service charge, enregistre et trace. Le seul chemin d'écriture (LT-04)."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction

from horizon.models import Espace
from horizon.models.audit import Action
from horizon.noyau.decision import Acteur
from horizon.noyau.sensibilite import LIBELLES, VERSION, Avis, Sensible, examiner
from horizon.selectors import parametres
from horizon.selectors.lieux import devenu_prive
from horizon.selectors.pseudonymes import pseudonymes_cites
from horizon.services.audit import tracer
from memoire.models import Proposition, Souvenir
from memoire.noyau.categories import CATEGORIES, Origine
from memoire.noyau.souvenirs import Candidature, Effet, Issue, juger
from memoire.parametres import DUREE_COURTE
from memoire.services import personnes, sources, temoins
from memoire.services.decisions import compter
from memoire.services.personnes import Connue
from memoire.services.sources import Cle, Lues

VALIDITE_DU_JETON = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Ecriture:
    """Une demande d'écriture, telle que l'appelant l'a lue. `espace` : (identifiant, visibilité annoncée) du lieu où
    elle est née, sur la plateforme de la Personne ; absent, l'origine est tenue pour privée."""

    personne: Cle
    origine: Origine
    categorie: str
    contenu: str
    fiabilite: int = 100
    sources: Sequence[Cle] = ()
    espace: tuple[str, str] | None = None
    corrige: str = ""


@dataclass(frozen=True, slots=True)
class Rendu:
    """Ce qu'une écriture a produit : la décision, l'avis du garde, et le jeton à remettre s'il faut un accord."""

    issue: Issue
    avis: Avis | None = None
    remplace: bool = False
    jeton: str = ""
    expire_le: datetime | None = None
    categorie: str = ""

    @property
    def avertissement(self) -> str:
        """Ce que lit qui doit donner son accord : la catégorie soupçonnée, jamais le texte."""
        sujet = LIBELLES.get(Sensible(self.avis.categorie)) if self.avis and self.avis.categorie else None
        touche = f"Ce texte pourrait toucher à ceci : {sujet.lower()}. " if sujet else "Ce texte demande un accord. "
        if self.issue.valide_par == "sa":
            return touche + "Un Super administrateur tranchera ; d’ici là, rien n’est retenu."
        return touche + "Il ne sera retenu que si vous le confirmez ; sans réponse, rien n’est gardé."


@dataclass(slots=True)
class Dossier:
    """Tout ce qu'une décision a lu, sous verrou."""

    ecriture: Ecriture
    personne: Connue | None
    actuel: Souvenir | None
    lues: Lues
    visibilite: str
    avis: Avis
    issue: Issue


def enregistrer(ecriture: Ecriture, *, par: Acteur, maintenant: datetime) -> Rendu:
    """Soumet une écriture au Noyau et applique sa décision, dans une transaction."""
    with transaction.atomic():
        dossier = instruire(ecriture, maintenant)
        compter(
            dossier.issue,
            origine=ecriture.origine.value,
            categorie=ecriture.categorie if ecriture.categorie in CATEGORIES else "",
            maintenant=maintenant,
        )
        return appliquer(dossier, par, maintenant)


def instruire(ecriture: Ecriture, maintenant: datetime, *, validee: bool = False) -> Dossier:
    """Charge, verrouille et fait juger : personne, souvenir présent, sources, lieu, avis du garde."""
    personne = personnes.verrouillee(ecriture.personne)
    lues = sources.lire(ecriture.sources, personne.pk, maintenant) if personne else {}
    actuel = personnes.souvenir_de(personne, ecriture.categorie)
    espace = lieu(ecriture)
    avis = examiner(
        ecriture.contenu,
        origine=ecriture.origine.value,
        categorie=ecriture.categorie,
        sujet=personne.compte.pseudonyme if personne else "",
        pseudonymes=pseudonymes_cites(ecriture.contenu, sauf=personne.pk if personne else None),
    )
    candidature = Candidature(
        origine=ecriture.origine,
        categorie=ecriture.categorie,
        contenu=ecriture.contenu,
        fiabilite=ecriture.fiabilite,
        sources=[source for source, _ in lues.values()],
        validee=validee,
        correction=bool(ecriture.corrige),
        soumise_le=maintenant,
    )
    lu = personnes.faits(personne, ecriture.categorie, espace, actuel)
    issue = juger(candidature, lu, avis)
    if issue.effet is Effet.RENFORCE and personne and not temoins.noter(personne.pk, ecriture, maintenant):
        issue = replace(issue, effet=Effet.CONSERVE)
    return Dossier(ecriture, personne, actuel, lues, _visibilite(ecriture, espace, lues), avis, issue)


def appliquer(dossier: Dossier, par: Acteur, maintenant: datetime) -> Rendu:
    """Écrit ce que la décision demande."""
    match dossier.issue.effet:
        case Effet.ENREGISTRE:
            remplace = _ecrire(dossier, par, maintenant)
            return Rendu(dossier.issue, dossier.avis, remplace, categorie=dossier.ecriture.categorie)
        case Effet.VALIDATION:
            return _mettre_en_attente(dossier, maintenant)
        case Effet.RENFORCE if dossier.actuel is not None:
            dossier.actuel.confiance = dossier.issue.confiance
            dossier.actuel.contradictions = max(0, dossier.actuel.contradictions - 1)
            dossier.actuel.save(update_fields=["confiance", "contradictions"])
    return Rendu(dossier.issue, dossier.avis, categorie=dossier.ecriture.categorie)


def _ecrire(dossier: Dossier, par: Acteur, maintenant: datetime) -> bool:
    """Écrase le contenu présent, ou crée la ligne ; rend vrai s'il y avait quelque chose à remplacer (LT-03)."""
    assert dossier.personne is not None
    ecriture = dossier.ecriture
    valeurs = {
        "contenu": ecriture.contenu,
        "origine": ecriture.origine.value,
        "visibilite": dossier.visibilite,
        "plateformes": sorted({ecriture.personne[0], *(p for p, _ in dossier.lues)}),
        "confiance": dossier.issue.confiance,
        "contradictions": 0,
        "enregistre_le": maintenant,
        "gele_le": None,
        "garde": VERSION,
    }
    souvenir, neuf = Souvenir.objects.update_or_create(
        identite=dossier.personne.identite, categorie=ecriture.categorie, defaults=valeurs
    )
    souvenir.sources = sources.noter(souvenir, dossier.lues)
    souvenir.save(update_fields=["sources"])
    if ecriture.origine is not Origine.DEMANDE:
        temoins.noter(dossier.personne.pk, ecriture, maintenant)
    tracer(
        Action.SOUVENIR_CORRIGE if ecriture.corrige else Action.SOUVENIR_ECRIT,
        par=par,
        objet="identite",
        objet_id=dossier.personne.pk,
        maintenant=maintenant,
        finalite=souvenir.finalite,
        motif=f"{ecriture.categorie} {ecriture.origine.value}",
    )
    return not neuf


def _mettre_en_attente(dossier: Dossier, maintenant: datetime) -> Rendu:
    """Garde le texte le temps d'un accord, jamais au-delà de ses sources ni de la mémoire courte (LT-08, SE-03)."""
    assert dossier.personne is not None
    ecriture, jeton = dossier.ecriture, secrets.token_urlsafe(32)
    par_un_sa = dossier.issue.valide_par == "sa"
    duree = timedelta(hours=parametres.valeur(DUREE_COURTE)) if par_un_sa else VALIDITE_DU_JETON
    terme = sources.plus_tot(dossier.lues, maintenant, duree)
    proposition = Proposition.objects.create(
        identite=dossier.personne.identite,
        epoque=dossier.personne.identite.epoque,
        plateforme=ecriture.personne[0],
        categorie=ecriture.categorie,
        corrige=ecriture.corrige,
        contenu=ecriture.contenu,
        origine=ecriture.origine.value,
        fiabilite=ecriture.fiabilite,
        visibilite=dossier.visibilite,
        valide_par=dossier.issue.valide_par,
        sensible=dossier.avis.categorie,
        regle=dossier.avis.regle[:60],
        jeton=empreinte(jeton, ecriture.personne),
        creee_le=maintenant,
        expire_a=terme,
    )
    sources.noter(proposition, dossier.lues)
    return Rendu(dossier.issue, dossier.avis, jeton="" if par_un_sa else jeton, expire_le=terme)


def empreinte(jeton: str, personne: Cle) -> str:
    """Ce qui est gardé d'un jeton. Il ne vaut que pour le compte qui l'a reçu : présenté pour un autre de la même
    Personne, il dirait qu'ils sont liés, et déplacerait la portée du souvenir."""
    return hashlib.sha256("\n".join((jeton, *personne)).encode()).hexdigest()


def lieu(ecriture: Ecriture) -> Espace | None:
    """L'espace où l'écriture est née, s'il est dit et connu."""
    if ecriture.espace is None:
        return None
    return Espace.objects.filter(plateforme=ecriture.personne[0], externe_id=ecriture.espace[0]).first()


def _visibilite(ecriture: Ecriture, espace: Espace | None, lues: Lues) -> str:
    """Portée d'origine : la plus stricte de ce que dit le bot, de ce que sait le serveur, et des messages invoqués ;
    un message qu'on ne connaît plus a pu être privé."""
    annoncee_publique = ecriture.espace is not None and ecriture.espace[1] == "public"
    su_public = espace is not None and espace.configuration == "memorise" and not devenu_prive(espace)
    sources_publiques = all(source.etat == "vivante" and not source.prive for source, _ in lues.values())
    return "public" if annoncee_publique and su_public and sources_publiques else "prive"
