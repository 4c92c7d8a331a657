"""Oublier dans la mémoire : compter ce qui partirait, puis effacer, verrous de l'appelant tenus (DR-02 à DR-04)."""

from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from horizon.models import Compte
from horizon.noyau.oublis import Cible
from memoire.models import Hypothese, Interaction, Proposition, Souvenir, Temoin, VerrouOubli
from memoire.services import retraits


def consequences(cible: Cible) -> dict[str, int]:
    """Ce qu'un oubli effacerait, par nature."""
    propositions = _propositions(cible).count()
    if cible.nature == "message":
        return {"interactions": _interactions(cible).count(), "propositions": propositions}
    souvenirs = _de_la_categorie(Souvenir.objects.all(), cible).count()
    comptes = {"souvenirs": souvenirs, "propositions": propositions}
    if cible.nature == "personne":
        comptes["hypotheses"] = Hypothese.objects.filter(compte__in=_comptes(cible)).count()
        comptes["interactions"] = _interactions(cible).count()
    return comptes


def oublier(cible: Cible, maintenant: datetime) -> None:
    """Efface. Les messages d'abord : l'ingestion prend les verrous dans cet ordre."""
    if cible.nature == "message":
        # Encore inconnu, il reçoit sa pierre tombale : il est en route, ou une restauration l'a perdu.
        connu = Interaction.objects.filter(plateforme=cible.plateforme, message_id=cible.message_id)
        if _interactions(cible).exists() or not connu.exists():
            retraits.retirer(cible.plateforme, [cible.message_id], maintenant)
        _propositions(cible).delete()
        return
    if cible.nature == "personne":
        comptes = list(_comptes(cible).values_list("pk", flat=True))
        retraits.oublier_comptes(comptes, cible.le, maintenant)
        Hypothese.objects.filter(compte_id__in=comptes, creee_le__lte=cible.le).delete()
    if cible.identite is None:
        return
    _de_la_categorie(Souvenir.objects.filter(enregistre_le__lte=cible.le), cible).delete()
    _propositions(cible).delete()
    _de_la_categorie(Temoin.objects.filter(vu_le__lte=cible.le), cible).delete()
    _verrouiller(cible)


def _propositions(cible: Cible) -> QuerySet[Proposition]:
    """Toutes celles de la Personne : l'époque qui vient de changer les rend caduques, leur texte n'a plus d'objet."""
    siennes = Proposition.objects.filter(creee_le__lte=cible.le)
    return siennes.filter(identite_id=cible.identite) if cible.identite else siennes.none()


def _comptes(cible: Cible) -> QuerySet[Compte]:
    """Comptes que l'oubli touche : ceux que l'Identité avait quand il fut prononcé."""
    voulus = Q(pk__in=[])
    for plateforme, externe in cible.comptes:
        voulus |= Q(plateforme=plateforme, externe_id=externe)
    return Compte.objects.filter(voulus)


def _interactions(cible: Cible) -> QuerySet[Interaction]:
    vivantes = Interaction.objects.filter(etat=Interaction.Etat.VIVANTE, expire_a__gt=cible.le)
    if cible.nature == "personne":
        return vivantes.filter(compte__in=_comptes(cible))
    # Le message d'une autre Personne ne s'oublie pas ; celui-ci peut venir d'un autre compte de la même.
    siens = Q(compte__identite_id=cible.identite) if cible.identite else Q(pk__in=[])
    return vivantes.filter(siens, plateforme=cible.plateforme, message_id=cible.message_id)


def _de_la_categorie(lignes: QuerySet[Any], cible: Cible) -> QuerySet[Any]:
    siennes = lignes.filter(identite_id=cible.identite)
    if not cible.categorie:
        return siennes
    return siennes.filter(categorie=cible.categorie)


def _verrouiller(cible: Cible) -> None:
    """Rien de fondé sur des messages antérieurs ne recrée ce qui vient d'être oublié."""
    assert cible.identite is not None
    verrou, neuf = VerrouOubli.objects.get_or_create(
        identite_id=cible.identite, categorie=cible.categorie, defaults={"avant": cible.le}
    )
    if not neuf and verrou.avant < cible.le:
        VerrouOubli.objects.filter(pk=verrou.pk).update(avant=cible.le)
