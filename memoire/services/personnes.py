"""La Personne d'une écriture de mémoire longue : retrouvée par un compte prouvé, verrouillée, jamais devinée."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from horizon.models import Compte, Espace, Identite, Pause
from horizon.services.identites import Cle, verrouiller
from memoire.models import Souvenir, VerrouOubli
from memoire.noyau.categories import Origine
from memoire.noyau.souvenirs import Faits, SouvenirConnu


@dataclass(frozen=True, slots=True)
class Connue:
    """Une Personne sous verrou : son Identité et le compte par lequel on l'a désignée."""

    compte: Compte
    identite: Identite

    @property
    def pk(self) -> UUID:
        return self.identite.pk


def verrouillee(cle: Cle) -> Connue | None:
    """La Personne de ce compte, verrouillée jusqu'à la fin de la transaction ; None s'il est inconnu ou d'un bot."""
    compte = verrouiller([cle]).get(cle)
    if compte is None or compte.identite is None:
        return None
    return Connue(compte, compte.identite)


def faits(personne: Connue | None, categorie: str, espace: Espace | None, actuel: Souvenir | None) -> Faits:
    """Ce dont le Noyau a besoin pour juger une écriture dans cette catégorie."""
    if personne is None:
        return Faits(revendiquee=False)
    return Faits(
        revendiquee=personne.identite.revendiquee_le is not None,
        en_pause=en_pause(personne.pk, espace.pk if espace else None),
        espace_ferme=espace is not None and espace.ferme_le is not None,
        oublie_avant=_oublie_avant(personne.pk, categorie),
        actuel=connu(actuel) if actuel else None,
    )


def souvenir_de(personne: Connue | None, categorie: str) -> Souvenir | None:
    """Son souvenir de cette catégorie, verrouillé."""
    if personne is None:
        return None
    return Souvenir.objects.select_for_update().filter(identite=personne.pk, categorie=categorie).first()


def connu(souvenir: Souvenir) -> SouvenirConnu:
    """Le souvenir tel que le Noyau le lit."""
    return SouvenirConnu(
        contenu=souvenir.contenu,
        confiance=souvenir.confiance,
        contradictions=souvenir.contradictions,
        nee_d_une_demande=souvenir.origine == Origine.DEMANDE,
        gele=souvenir.gele_le is not None,
    )


def en_pause(identite: UUID, espace_id: int | None) -> bool:
    """Vrai si la Personne a suspendu sa mémorisation, partout ou dans cet espace."""
    pauses = Pause.objects.filter(identite=identite)
    return pauses.filter(partout=True).exists() or (espace_id is not None and pauses.filter(espace=espace_id).exists())


def _oublie_avant(identite: UUID, categorie: str) -> datetime | None:
    verrous = VerrouOubli.objects.filter(identite=identite, categorie__in=("", categorie))
    return max(verrous.values_list("avant", flat=True), default=None)
