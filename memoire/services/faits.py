"""Ce que le serveur sait au moment de décider d'un lot : lu et verrouillé en un nombre constant de requêtes.

Comptes, Identités et espaces le sont par la brique commune (`horizon.services.reconnaissance`), les espaces d'un lot
qui efface `FOR UPDATE` : une purge et une arrivée dans le même espace s'attendent donc toujours.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from horizon.binaire import executer
from horizon.models import Espace
from horizon.noyau.evenements import Coupure, Message, PurgeAuteur, Recu, Releve, Vidage, espace_de
from horizon.noyau.lieux import LieuConnu
from horizon.services.espaces import assurer_espace
from horizon.services.identites import Cle
from horizon.services.reconnaissance import Reconnus, ajouter_comptes, lire_lieux
from memoire.noyau.expiration import VIE_MAXIMALE
from memoire.parametres import DUREE_COURTE


@dataclass(slots=True)
class Connus(Reconnus):
    """Faits d'un lot ; les actes du lot les tiennent à jour au passage. `nouveaux` : (compte, émis le) des messages
    de Personnes que ce lot a fait entrer."""

    poubelles: dict[str, frozenset[str]] = field(default_factory=dict)
    barrieres: dict[tuple[int, str], datetime] = field(default_factory=dict)
    durees: list[tuple[datetime, timedelta]] = field(default_factory=list)
    nouveaux: list[tuple[Cle, datetime]] = field(default_factory=list)

    def efface_avant(self, espace_id: int, auteur: str, emis_le: datetime) -> bool:
        """Vrai si une barrière de l'espace ou de l'auteur couvre cet instant d'émission."""
        if not self.barrieres:
            return False
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
    lignes = executer(
        "SELECT espace_id, auteur, jusqu_a FROM memoire_barriere WHERE espace_id = ANY(%b) AND expire_a > %b",
        espaces,
        maintenant,
    )
    connus.barrieres |= {(espace_id, auteur): jusqu_a for espace_id, auteur, jusqu_a in lignes}


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


def _poubelles(plateformes: set[str]) -> dict[str, frozenset[str]]:
    lus = executer(
        "SELECT plateforme, externe_id FROM horizon_compte WHERE nature = 'poubelle' AND plateforme = ANY(%b)",
        list(plateformes),
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


def _durees(maintenant: datetime) -> list[tuple[datetime, timedelta]]:
    """Durées en vigueur depuis 24 h, de la plus récente à la plus ancienne (la dernière vaut depuis toujours)."""
    debut = datetime.min.replace(tzinfo=maintenant.tzinfo)
    lignes = executer(
        """(SELECT NULL::timestamptz, 0::bigint, valeur, valeur FROM horizon_parametre WHERE cle = %b)
           UNION ALL (SELECT change_le, id, ancienne, nouvelle FROM horizon_changementparametre
           WHERE cle = %b AND change_le > %b)""",
        DUREE_COURTE.cle,
        DUREE_COURTE.cle,
        maintenant - 2 * VIE_MAXIMALE,
    )
    courante = timedelta(hours=next((v for quand, _, v, _ in lignes if quand is None), DUREE_COURTE.initiale))
    changements = [
        (quand, ancienne, nouvelle)
        for quand, _, ancienne, nouvelle in sorted((li for li in lignes if li[0]), reverse=True)
    ]
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
