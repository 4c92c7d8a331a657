"""Modifier un message : le nouveau texte remplace l'ancien sans prolonger sa vie, ou le fait retirer (CT-07)."""

from datetime import datetime

from django.db import connection
from django.db.models import Q

from horizon.models import Pause
from horizon.noyau.evenements import Modification, Resultat
from horizon.noyau.temps import AVANCE_TOLEREE
from horizon.services.reconnaissance import lire_lieux
from memoire.models import Interaction
from memoire.noyau.expiration import VIE_TOMBALE
from memoire.noyau.tri import motif_du_texte, texte_dit
from memoire.services.faits import Connus
from memoire.services.retraits import retirer
from memoire.services.sources import retirer_derives


def modifier(evenement: Modification, maintenant: datetime) -> Resultat:
    """Applique une modification ; l'ordre se juge sur `modifie_le`, pas sur l'arrivée."""
    _refuser_l_ancien_texte(evenement, maintenant)
    ligne = Interaction.objects.select_for_update().get(plateforme=evenement.plateforme, message_id=evenement.id)
    if ligne.etat != Interaction.Etat.VIVANTE:
        motif = "supprime_avant" if ligne.etat == Interaction.Etat.SUPPRIMEE else None
        return Resultat(id=evenement.id, statut="ignore", motif=motif)
    if ligne.expire_a <= maintenant:
        return Resultat(id=evenement.id, statut="ignore", motif="expire")
    # L'instant est gardé tel quel : ramené à maintenant, il ferait perdre l'ordre de deux modifications voisines.
    modifie_le = min(evenement.modifie_le, maintenant + AVANCE_TOLEREE)
    if modifie_le <= (ligne.modifie_le or ligne.emis_le or ligne.recu_le):
        return Resultat(id=evenement.id, statut="ignore")
    return _remplacer(evenement, ligne, modifie_le, maintenant)


def _refuser_l_ancien_texte(evenement: Modification, maintenant: datetime) -> None:
    """Message encore inconnu : l'ancien texte, s'il arrive ensuite, n'est plus ce que la Personne veut dire."""
    with connection.cursor() as curseur:
        curseur.execute(
            """INSERT INTO memoire_interaction (plateforme, message_id, etat, recu_le, expire_a)
               VALUES (%s, %s, 'remplacee', %s, %s) ON CONFLICT (plateforme, message_id) DO NOTHING""",
            [evenement.plateforme, evenement.id, maintenant, maintenant + VIE_TOMBALE],
        )


def _remplacer(evenement: Modification, ligne: Interaction, modifie_le: datetime, maintenant: datetime) -> Resultat:
    texte = texte_dit(evenement.contenu)
    motif = motif_du_texte(texte, ligne.reponse_a is not None) or _motif_present(ligne)
    if motif:
        nombre, reponses = retirer(evenement.plateforme, [evenement.id], maintenant)
        return Resultat(id=evenement.id, statut="supprime", motif=motif, nombre=nombre, a_supprimer=reponses)
    ligne.contenu, ligne.modifie_le = texte, modifie_le
    ligne.save(update_fields=["contenu", "modifie_le"])
    # Ce qui se fondait sur l'ancien texte ne se fonde plus sur rien (CT-16).
    retirer_derives(evenement.plateforme, [evenement.id], maintenant)
    return Resultat(id=evenement.id, statut="modifie", expire_le=ligne.expire_a)


def _motif_present(ligne: Interaction) -> str:
    """Ce qui, depuis la réception, rend un nouveau texte inadmissible : jugé sur l'espace et le compte de la ligne, pas
    sur ce que le bot annonce."""
    espace, compte = ligne.espace, ligne.compte
    if espace is None or compte is None:
        return "espace_non_configure"
    connus = Connus()
    lire_lieux(connus, {(espace.plateforme, espace.externe_id)}, ecrire=False)
    _, lieu = connus.lieux[espace.plateforme, espace.externe_id]
    if lieu.ferme:
        return "espace_ferme"
    if lieu.configuration == "retire" or (ligne.visibilite == "public" and lieu.configuration != "memorise"):
        return "espace_non_configure"
    if ligne.visibilite == "public" and lieu.visibilite == "prive":
        return "prive_sans_poubelle"
    if compte.nature != "personne":
        return "bot"
    suspendue = Pause.objects.filter(Q(partout=True) | Q(espace=espace), identite=compte.identite_id)
    return "pause" if suspendue.exists() else ""
