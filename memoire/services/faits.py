"""Ce que le serveur sait au moment de décider d'un lot : lu et verrouillé en un nombre constant de requêtes.

Ordre des verrous, le même pour tous : comptes triés (`FOR KEY SHARE`), puis espaces triés (`FOR KEY SHARE`, ou
`FOR UPDATE` si le lot efface). Une purge et une arrivée dans le même espace s'attendent donc toujours.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection

from horizon.models import ChangementParametre, Compte, Espace, Pause
from horizon.noyau.evenements import Coupure, Message, PurgeAuteur, Recu, Releve, Vidage, espace_de
from horizon.selectors import parametres
from horizon.services.espaces import assurer_espace
from horizon.services.identites import Cle
from memoire.models import Barriere
from memoire.noyau.expiration import VIE_MAXIMALE
from memoire.noyau.tri import LieuConnu
from memoire.parametres import DUREE_COURTE


@dataclass(frozen=True, slots=True)
class CompteConnu:
    id: int
    nature: str
    identite: UUID | None
    avis_duree: timedelta | None


@dataclass(slots=True)
class Connus:
    """Faits d'un lot ; les actes du lot les tiennent à jour au passage."""

    comptes: dict[Cle, CompteConnu] = field(default_factory=dict)
    lieux: dict[Cle, tuple[int, LieuConnu]] = field(default_factory=dict)
    poubelles: dict[str, frozenset[str]] = field(default_factory=dict)
    pauses: set[tuple[UUID, int | None]] = field(default_factory=set)
    barrieres: dict[tuple[int, str], datetime] = field(default_factory=dict)
    durees: list[tuple[datetime, timedelta]] = field(default_factory=list)

    def en_pause(self, compte: CompteConnu | None, espace_id: int | None) -> bool:
        """Vrai si la Personne a suspendu sa mémorisation partout ou ici."""
        if compte is None or compte.identite is None:
            return False
        return (compte.identite, None) in self.pauses or (
            espace_id is not None and (compte.identite, espace_id) in self.pauses
        )

    def efface_avant(self, espace_id: int, auteur: str, emis_le: datetime) -> bool:
        """Vrai si une barrière de l'espace ou de l'auteur couvre cet instant d'émission."""
        barrieres = (self.barrieres.get((espace_id, "")), self.barrieres.get((espace_id, auteur)))
        return any(b is not None and emis_le <= b for b in barrieres)


def rassembler(evenements: Iterable[Recu], maintenant: datetime) -> Connus:
    """Charge et verrouille tout ce dont un lot a besoin."""
    evenements = list(evenements)
    connus = Connus(durees=_durees(maintenant))
    ajouter_comptes(connus, _cles_de_comptes(evenements))
    connus.poubelles = _poubelles({e.plateforme for e in evenements})
    _ajouter_lieux(connus, evenements)
    lire_barrieres(connus, [espace_id for espace_id, _ in connus.lieux.values()], maintenant)
    return connus


def lire_barrieres(connus: Connus, espaces: list[int], maintenant: datetime) -> None:
    """Lit les barrières d'espaces déjà verrouillés."""
    barrieres = Barriere.objects.filter(espace_id__in=espaces, expire_a__gt=maintenant)
    connus.barrieres |= {(b.espace_id, b.auteur): b.jusqu_a for b in barrieres}


def _cles_de_comptes(evenements: list[Recu]) -> set[Cle]:
    cles: set[Cle] = set()
    for e in evenements:
        if isinstance(e, Message | PurgeAuteur):
            cles.add((e.plateforme, e.auteur.id))
        if isinstance(e, Message):
            cles |= {(e.plateforme, p) for p in e.espace.participants or ()}
            if e.interlocuteur:
                cles.add((e.plateforme, e.interlocuteur.id))
    return cles


def ajouter_comptes(connus: Connus, cles: set[Cle]) -> None:
    """Lit et verrouille les comptes existants parmi `cles`, et les pauses de leurs Identités."""
    if not cles:
        return
    tries = sorted(cles)
    with connection.cursor() as curseur:
        curseur.execute(
            """SELECT c.plateforme, c.externe_id, c.id, c.nature, c.identite_id, c.avis_duree FROM horizon_compte c
               JOIN unnest(%s::text[], %s::text[]) AS v(p, e) ON c.plateforme = v.p AND c.externe_id = v.e
               ORDER BY c.id FOR KEY SHARE OF c""",
            [[p for p, _ in tries], [e for _, e in tries]],
        )
        lus = {(p, e): CompteConnu(*reste) for p, e, *reste in curseur.fetchall()}
    connus.comptes |= lus
    identites = [c.identite for c in lus.values() if c.identite]
    connus.pauses |= set(Pause.objects.filter(identite_id__in=identites).values_list("identite_id", "espace_id"))


def _poubelles(plateformes: set[str]) -> dict[str, frozenset[str]]:
    lus = list(
        Compte.objects.filter(nature="poubelle", plateforme__in=plateformes).values_list("plateforme", "externe_id")
    )
    return {p: frozenset(e for q, e in lus if q == p) for p in plateformes}


def _ajouter_lieux(connus: Connus, evenements: list[Recu]) -> None:
    effacent: set[Cle] = {
        (e.plateforme, e.espace.id) for e in evenements if isinstance(e, PurgeAuteur | Vidage | Releve | Coupure)
    }
    cles: set[Cle] = {(e.plateforme, espace.id) for e in evenements if (espace := espace_de(e))}
    lire_lieux(connus, cles, ecrire=bool(effacent))
    manquants = sorted(effacent - connus.lieux.keys())
    for plateforme, externe in manquants:
        assurer_espace(plateforme, externe)
    if manquants:
        lire_lieux(connus, set(manquants), ecrire=True)


_REGIME = """CASE WHEN p.visibilite = 'prive' THEN 'prive' ELSE s.visibilite END,
    CASE WHEN s.configuration = 'inconnu' THEN COALESCE(p.configuration, 'inconnu') ELSE s.configuration END,
    s.ferme_le IS NOT NULL OR p.ferme_le IS NOT NULL"""
"""Régime d'un espace `s` ; un fil que personne n'a configuré suit son salon `p`, et le plus strict des deux."""


def lire_lieux(connus: Connus, cles: set[Cle], *, ecrire: bool) -> None:
    """Lit et verrouille les espaces existants parmi `cles`."""
    tries = sorted(cles)
    verrou = "FOR UPDATE OF s" if ecrire else "FOR KEY SHARE OF s"
    with connection.cursor() as curseur:
        curseur.execute(
            f"""SELECT s.plateforme, s.externe_id, s.id, {_REGIME}, c.externe_id,
                 s.parent_externe <> '' AND s.visibilite = 'prive'
               FROM horizon_espace s JOIN unnest(%s::text[], %s::text[]) AS v(p, e)
                 ON s.plateforme = v.p AND s.externe_id = v.e
               LEFT JOIN LATERAL (SELECT visibilite, configuration, ferme_le FROM horizon_espace
                   WHERE plateforme = s.plateforme AND externe_id = s.parent_externe FOR KEY SHARE) p ON TRUE
               LEFT JOIN horizon_compte c ON c.id = s.interlocuteur_id ORDER BY s.id {verrou}""",  # noqa: S608 — textes fixes
            [[p for p, _ in tries], [e for _, e in tries]],
        )
        for plateforme, externe, pk, *reste in curseur.fetchall():
            connus.lieux[plateforme, externe] = (pk, LieuConnu(*reste))


def _durees(maintenant: datetime) -> list[tuple[datetime, timedelta]]:
    """Durées en vigueur depuis 24 h, de la plus récente à la plus ancienne (la dernière vaut depuis toujours)."""
    debut = datetime.min.replace(tzinfo=maintenant.tzinfo)
    courante = timedelta(hours=parametres.valeur(DUREE_COURTE))
    changements = list(
        ChangementParametre.objects.filter(cle=DUREE_COURTE.cle, change_le__gt=maintenant - 2 * VIE_MAXIMALE)
        .order_by("-change_le", "-pk")
        .values_list("change_le", "ancienne", "nouvelle")
    )
    if not changements:
        return [(debut, courante)]
    suite = [(quand, timedelta(hours=nouvelle)) for quand, _, nouvelle in changements]
    return [*suite, (debut, timedelta(hours=changements[-1][1]))]


def ouvrir_echange_prive(connus: Connus, cle: Cle, maintenant: datetime) -> None:
    """Verrouille la ligne d'un échange privé encore sans Personne (créée au besoin) et relit ce qui le concerne : une
    autre Personne, une fermeture ou un effacement ont pu passer depuis la première lecture."""
    assurer_espace(*cle)
    lire_lieux(connus, {cle}, ecrire=True)
    lire_barrieres(connus, [connus.lieux[cle][0]], maintenant)


def attribuer_echange_prive(connus: Connus, cle: Cle, personne: str, compte_id: int) -> None:
    """Attache à sa Personne un échange privé dont un message vient d'être gardé."""
    espace_id, lieu = connus.lieux[cle]
    if lieu.interlocuteur is None:
        Espace.objects.filter(pk=espace_id).update(interlocuteur_id=compte_id, visibilite=Espace.Visibilite.PRIVE)
        connus.lieux[cle] = (espace_id, LieuConnu("prive", lieu.configuration, lieu.ferme, personne))
