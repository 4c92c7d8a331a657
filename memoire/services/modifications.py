"""Modifier un message : le nouveau texte remplace l'ancien sans prolonger sa vie, ou le fait retirer (CT-07)."""

from datetime import datetime

from horizon.noyau.evenements import Modification, Resultat
from horizon.services.reconnaissance import CompteConnu
from memoire.models import Interaction
from memoire.noyau.tri import motif_du_texte, texte_dit
from memoire.services.faits import Connus
from memoire.services.retraits import retirer


def modifier(evenement: Modification, connus: Connus, maintenant: datetime) -> Resultat:
    """Applique une modification ; l'ordre se juge sur `modifie_le`, pas sur l'arrivée."""
    ligne = (
        Interaction.objects.select_for_update().filter(plateforme=evenement.plateforme, message_id=evenement.id).first()
    )
    if ligne is None:
        # L'ancien texte, s'il arrive ensuite, n'est plus ce que la Personne veut dire : il n'entrera pas.
        retirer(evenement.plateforme, [evenement.id], maintenant)
        return _ignore(evenement, None)
    if ligne.etat != Interaction.Etat.VIVANTE:
        return _ignore(evenement, "supprime_avant")
    if ligne.expire_a <= maintenant:
        return _ignore(evenement, "expire")
    modifie_le = min(evenement.modifie_le, maintenant)
    if modifie_le <= (ligne.modifie_le or ligne.emis_le or ligne.recu_le):
        return _ignore(evenement, None)
    return _remplacer(evenement, ligne, modifie_le, connus, maintenant)


def _ignore(evenement: Modification, motif: str | None) -> Resultat:
    return Resultat(id=evenement.id, statut="ignore", motif=motif)


def _remplacer(
    evenement: Modification, ligne: Interaction, modifie_le: datetime, connus: Connus, maintenant: datetime
) -> Resultat:
    texte = texte_dit(evenement.contenu)
    motif = motif_du_texte(texte, ligne.reponse_a is not None) or _motif_du_lieu(evenement, ligne, connus)
    if motif:
        nombre, reponses = retirer(evenement.plateforme, [evenement.id], maintenant)
        return Resultat(id=evenement.id, statut="supprime", motif=motif, nombre=nombre, a_supprimer=reponses)
    ligne.contenu, ligne.modifie_le = texte, modifie_le
    ligne.save(update_fields=["contenu", "modifie_le"])
    return Resultat(id=evenement.id, statut="modifie", expire_le=ligne.expire_a)


def _motif_du_lieu(evenement: Modification, ligne: Interaction, connus: Connus) -> str:
    """Un espace fermé ou une pause depuis la réception : le nouveau texte n'est pas mémorisable."""
    lieu = connus.lieux.get((evenement.plateforme, evenement.espace.id))
    if lieu is not None and lieu[1].ferme:
        return "espace_ferme"
    compte = ligne.compte
    if compte is None:
        return ""
    connu = CompteConnu(compte.id, compte.nature, compte.identite_id, compte.avis_duree)
    return "pause" if connus.pause_en_base(connu, ligne.espace_id) else ""
