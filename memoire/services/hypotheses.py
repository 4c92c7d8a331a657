"""Hypothèses sur l'instant : marquées comme telles, pour le ton seulement, jamais au-delà de leurs sources (CT-10)."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from horizon.models import Espace
from horizon.noyau.sensibilite import Verdict, examiner
from horizon.noyau.texte import sans_invisibles_en_tete
from horizon.selectors.lieux import devenu_prive
from horizon.selectors.pseudonymes import pseudonymes_cites
from horizon.services.identites import Cle
from memoire.models import Hypothese
from memoire.noyau.categories import LONGUEUR_MAX
from memoire.noyau.recopie import recopie
from memoire.noyau.souvenirs import Effet, Issue
from memoire.services import personnes, sources
from memoire.services.decisions import compter
from memoire.services.sources import Cle as CleDeMessage


def supposer(
    personne: Cle, texte: str, espace: tuple[str, str], messages: Sequence[CleDeMessage], *, maintenant: datetime
) -> tuple[Issue, datetime | None]:
    """Garde une hypothèse née dans un espace connu, sur des messages vivants de la Personne ; rend son terme."""
    with transaction.atomic():
        issue, terme = _supposer(personne, texte, espace, messages, maintenant)
        compter(issue, origine="hypothese", categorie="", maintenant=maintenant)
        return issue, terme


def _supposer(
    personne: Cle, texte: str, espace: tuple[str, str], messages: Sequence[CleDeMessage], maintenant: datetime
) -> tuple[Issue, datetime | None]:
    connue = personnes.verrouillee(personne)
    lieu = Espace.objects.filter(plateforme=personne[0], externe_id=espace[0]).first()
    if connue is None or lieu is None:
        return Issue(Effet.REFUSE, "source_absente"), None
    lues = sources.lire(messages, connue.pk, maintenant)
    motif = _motif(texte, lues, connue, lieu)
    if motif:
        return Issue(Effet.REFUSE, motif), None
    privee = espace[1] == "prive" or devenu_prive(lieu) or any(s.prive for s, _ in lues.values())
    hypothese = Hypothese.objects.create(
        compte=connue.compte,
        espace=lieu,
        visibilite="prive" if privee else "public",
        texte=texte,
        creee_le=maintenant,
        expire_a=sources.plus_tot(lues, maintenant),
    )
    sources.noter(hypothese, lues)
    return Issue(Effet.ENREGISTRE), hypothese.expire_a


def _motif(texte: str, lues: sources.Lues, connue: personnes.Connue, lieu: Espace) -> str:
    etats = {source.etat for source, _ in lues.values()}
    # Fondée sur ce qui fut dit ailleurs, elle révélerait une liaison là où elle sert (DV-02).
    if any(plateforme != lieu.plateforme for plateforme, _ in lues):
        return "source_absente"
    if not etats or etats != {"vivante"}:
        return "source_supprimee" if "supprimee" in etats else "source_absente"
    if not all(source.de_la_personne for source, _ in lues.values()):
        return "source_d_autrui"
    if personnes.en_pause(connue.pk, lieu.pk):
        return "pause"
    if lieu.ferme_le is not None:
        return "espace_ferme"
    if not sans_invisibles_en_tete(texte):
        return "vide"
    if len(texte) > LONGUEUR_MAX:
        return "trop_long"
    if recopie(texte, [source.contenu for source, _ in lues.values() if source.contenu]):
        return "recopie"
    avis = examiner(
        texte,
        origine="hypothese",
        sujet=connue.compte.pseudonyme,
        pseudonymes=pseudonymes_cites(texte, sauf=connue.pk),
    )
    return "diagnostic" if avis.decision is Verdict.REFUS or avis.soupcon_de_refus else ""
