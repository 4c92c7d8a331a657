"""Avis de première interaction privée : rien n'est gardé avant que sa remise soit attestée (CT-09).

Le jeton porte tout ce qu'il atteste (compte, durée annoncée), signé : tant que la Personne n'a pas reçu l'avis, rien
n'est écrit sur elle, pas même son compte.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.core import signing
from django.db import transaction

from horizon.models import Compte
from horizon.models.audit import Action
from horizon.noyau.decision import Acteur
from horizon.noyau.evenements import Avis
from horizon.noyau.motifs import FINALITES
from horizon.services.audit import tracer
from horizon.services.erreurs import Refus
from horizon.services.identites import creer_manquants

_SEL = "memoire.avis"
VALIDITE_DU_JETON = timedelta(hours=24)


def preparer(plateforme: str, externe_id: str, duree: timedelta) -> Avis:
    """L'avis à remettre à un compte pour une durée donnée."""
    secondes = int(duree.total_seconds())
    jeton = signing.dumps([plateforme, externe_id, secondes], salt=_SEL)
    return Avis(texte=texte(duree), duree=f"PT{secondes // 3600}H", jeton=jeton)


def texte(duree: timedelta) -> str:
    """Ce que la Personne lit : ce qui est gardé, pourquoi, combien de temps."""
    heures = int(duree.total_seconds() // 3600)
    return (
        f"Vos messages privés avec P.O.U.B.E.L.L.E. peuvent être gardés {heures} h au plus, puis effacés. "
        f"Finalité : {FINALITES['continuite'][0].lower()}{FINALITES['continuite'][1:]} "
        "Ils ne sont jamais montrés ailleurs. Supprimer un message l’efface aussi ici ; vous pouvez suspendre "
        "cette mémorisation à tout moment."
    )


def attester(jeton: str, *, plateformes: Sequence[str], par: Acteur, maintenant: datetime) -> None:
    """Note qu'un avis a été remis. Jeton faux ou trop vieux : `Refus` 410 ; plateforme d'un autre bot : 403."""
    try:
        plateforme, externe_id, secondes = signing.loads(jeton, salt=_SEL, max_age=VALIDITE_DU_JETON)
    except signing.BadSignature:
        raise Refus("jeton", "Ce jeton de remise n’est pas valable.", 410) from None
    if plateforme not in plateformes:
        raise Refus("plateforme_interdite", "Ce bot n’agit pas sur cette plateforme.", 403)
    with transaction.atomic():
        creer_manquants([(plateforme, externe_id)], maintenant=maintenant)
        compte = Compte.objects.select_for_update().get(plateforme=plateforme, externe_id=externe_id)
        if compte.nature != Compte.Nature.PERSONNE:
            raise Refus("bot", "Ce compte est celui d’un bot.")
        compte.avis_remis_le, compte.avis_duree = maintenant, timedelta(seconds=secondes)
        compte.derniere_interaction = maintenant
        compte.save(update_fields=["avis_remis_le", "avis_duree", "derniere_interaction"])
        tracer(Action.AVIS_REMIS, par=par, objet="compte", objet_id=compte.pk, maintenant=maintenant)
