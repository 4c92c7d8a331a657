"""Journal d'audit, lu du plus récent au plus ancien, par curseur."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from horizon import parametres
from horizon.models import Bot, Espace, Trace, Utilisateur

PAR_PAGE = 50
NATURES_ACTEUR = {
    "utilisateur": "Compte du Poste",
    "bot": "Bot",
    "exploitation": "Exploitation",
    "systeme": "Système",
}
NATURES_OBJET = {
    "bot": "bot",
    "espace": "espace",
    "parametre": "paramètre",
    "identite": "identité",
    "utilisateur": "compte du Poste",
    "compte": "compte de plateforme",
    "abonnement": "abonnement",
    "categorie": "catégorie",
}


@dataclass(frozen=True, slots=True)
class Ligne:
    """Une trace et le nom lisible de son acteur (vide : aucun nom à donner) et de son objet."""

    trace: Trace
    acteur_nature: str
    acteur_nom: str
    objet_nature: str
    objet_nom: str


@dataclass(frozen=True, slots=True)
class Filtre:
    """Critères du journal, vides s'ils ne s'appliquent pas ; `avant` : curseur (identifiant exclu)."""

    action: str = ""
    acteur: str = ""
    depuis: datetime | None = None
    jusqu_a: datetime | None = None
    avant: int | None = None


def dernieres(nombre: int) -> list[Ligne]:
    """Les `nombre` traces les plus récentes."""
    return _lignes(Trace.objects.order_by("-pk")[:nombre])


def page(filtre: Filtre) -> tuple[list[Ligne], int | None]:
    """Une page du journal, et le curseur de la suivante (None : fin du journal)."""
    criteres = {
        "action": filtre.action,
        "acteur_nature": filtre.acteur,
        "quand__gte": filtre.depuis,
        "quand__lt": filtre.jusqu_a,
        "pk__lt": filtre.avant,
    }
    retenus = {cle: valeur for cle, valeur in criteres.items() if valeur not in ("", None)}
    traces = list(Trace.objects.filter(**retenus).order_by("-pk")[: PAR_PAGE + 1])
    suite = traces[PAR_PAGE - 1].pk if len(traces) > PAR_PAGE else None
    return _lignes(traces[:PAR_PAGE]), suite


def _lignes(traces: Iterable[Trace]) -> list[Ligne]:
    traces = list(traces)
    noms = _noms(traces)
    return [
        Ligne(
            t,
            NATURES_ACTEUR.get(t.acteur_nature, t.acteur_nature),
            noms.get((t.acteur_nature, t.acteur_id), ""),
            NATURES_OBJET.get(t.objet_nature, t.objet_nature),
            noms.get((t.objet_nature, t.objet_id), t.objet_id),
        )
        for t in traces
    ]


def _noms(traces: Iterable[Trace]) -> dict[tuple[str, str], str]:
    """Noms des comptes du Poste, bots et paramètres cités ; une Identité reste un identifiant opaque."""
    cites = {(t.acteur_nature, t.acteur_id) for t in traces} | {(t.objet_nature, t.objet_id) for t in traces}
    noms = {("parametre", d.cle): d.libelle for d in parametres.toutes()}
    comptes = Utilisateur.objects.filter(pk__in=_ids(cites, "utilisateur"))
    noms |= {("utilisateur", str(pk)): nom for pk, nom in comptes.values_list("pk", "nom")}
    bots = Bot.objects.filter(pk__in=_ids(cites, "bot"))
    noms |= {("bot", str(pk)): nom for pk, nom in bots.values_list("pk", "nom")}
    # Un échange privé ne se nomme pas : son identifiant dirait qui écrit.
    espaces = Espace.objects.filter(pk__in=_ids(cites, "espace"), interlocuteur__isnull=True)
    return noms | {("espace", str(e.pk)): e.nom or e.externe_id for e in espaces}


def _ids(cites: Iterable[tuple[str, str]], nature: str) -> list[int]:
    return [int(ident) for n, ident in cites if n == nature and ident.isdecimal()]
