"""Charger la communauté : poser le décor par les services, puis tout faire dire par l'API publique."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import groupby
from typing import Any

from django.utils.timezone import now

from horizon.demo import equipage
from horizon.demo.api import Client, Echec, servir
from horizon.demo.communaute import Communaute, Retenu, identifiant
from horizon.demo.etapes import Echange, Envoi, Etape, Ferme, Montage, Suspend, ids_par_plateforme

LOT = 100
FRAICHEUR = timedelta(hours=6)
"""En deçà, un chargement est encore assez récent pour qu'un redémarrage n'y touche pas."""


@dataclass(slots=True)
class Bilan:
    """Ce que le Poste a répondu. `ecarts` : messages traités autrement que le fichier ne le prévoit."""

    resultats: Counter[tuple[str, str]] = field(default_factory=Counter)
    ecarts: list[str] = field(default_factory=list)

    @property
    def gardes(self) -> int:
        return self.resultats["memorise", ""]

    @property
    def ecartes(self) -> int:
        return sum(nombre for (statut, _), nombre in self.resultats.items() if statut == "exclu")

    def noter(self, envoi: Envoi, resultat: dict[str, Any]) -> None:
        """Compte un résultat ; lève `Echec` si le Poste n'a pas compris l'événement."""
        statut, motif = resultat["statut"], resultat["motif"]
        if statut == "invalide":
            raise Echec(f"Le Poste a refusé un événement « {envoi.evenement['type']} » ({motif}).")
        self.resultats[statut, motif or ""] += 1
        if envoi.attendu not in (None, (statut, motif)):
            self.ecarts.append(f"{envoi.evenement['id']} : {statut} {motif or ''}".strip())


def charger(communaute: Communaute, base: str | None) -> Bilan:
    """Charge la communauté, datée de maintenant ; ce qu'un chargement précédent avait fait dire est retiré."""
    equipage.poser_le_decor(communaute)
    maintenant = now()
    prefixe = f"demo-{maintenant:%Y%m%dT%H%M%S%f}"
    passes = equipage.chargements()
    bot, cle = equipage.ouvrir_le_chargement(prefixe)
    etapes = Montage(communaute, prefixe, maintenant).etapes()
    if base:
        bilan = _jouer(Client(base, cle), communaute, etapes, passes)
    else:
        with servir() as adresse:
            bilan = _jouer(Client(adresse, cle), communaute, etapes, passes)
    equipage.effacer_les_bots(passes.values())
    equipage.cloturer(bot)
    return bilan


def _jouer(client: Client, communaute: Communaute, etapes: Iterable[Etape], passes: Iterable[str]) -> Bilan:
    for prefixe in passes:
        for plateforme, ids in ids_par_plateforme(communaute, prefixe).items():
            _evenements(client, [{"type": "suppression", "plateforme": plateforme, "ids": ids}])
    for pause in communaute.pauses:
        _pause(client, "pauses/fin/", pause.plateforme, communaute.id_de(pause.personne), attendu=204)
    bilan = Bilan()
    for paquet in _paquets(etapes):
        match paquet:
            case list():
                _envoyer(client, paquet, bilan)
            case Echange():
                _echanger(client, paquet, bilan)
            case Suspend():
                _pause(client, "pauses/", paquet.plateforme, paquet.externe_id, attendu=201)
            case Ferme():
                equipage.fermer_l_espace(paquet.plateforme, paquet.externe_id, retirer=paquet.retirer)
    for retenu in communaute.souvenirs:
        _retenir(client, communaute, retenu)
    return bilan


def _paquets(etapes: Iterable[Etape]) -> Iterator[list[Envoi] | Echange | Suspend | Ferme]:
    """Les événements voisins partent ensemble, par lots bornés ; un acte les sépare."""
    for public, suite in groupby(etapes, key=lambda etape: isinstance(etape, Envoi)):
        if not public:
            yield from (etape for etape in suite if not isinstance(etape, Envoi))
            continue
        envois = [etape for etape in suite if isinstance(etape, Envoi)]
        yield from (envois[debut : debut + LOT] for debut in range(0, len(envois), LOT))


def _envoyer(client: Client, envois: list[Envoi], bilan: Bilan) -> None:
    resultats = _evenements(client, [envoi.evenement for envoi in envois])
    for envoi, resultat in zip(envois, resultats, strict=True):
        bilan.noter(envoi, resultat)


def _evenements(client: Client, evenements: list[dict[str, Any]]) -> list[dict[str, Any]]:
    resultats: list[dict[str, Any]] = client.poster("evenements/", {"evenements": evenements})["resultats"]
    return resultats


def _echanger(client: Client, echange: Echange, bilan: Bilan) -> None:
    """Un premier message seul : s'il faut un avis, il est remis, attesté, et le même message est renvoyé."""
    if not echange.avis:
        _envoyer(client, echange.envois, bilan)
        return
    premier, *suite = echange.envois
    resultat = _evenements(client, [premier.evenement])[0]
    if resultat["motif"] == "avis_requis":
        bilan.resultats["exclu", "avis_requis"] += 1
        client.poster("avis/remise/", {"jeton": resultat["avis"]["jeton"]})
        _envoyer(client, [premier], bilan)
    else:
        bilan.noter(premier, resultat)
    if suite:
        _envoyer(client, suite, bilan)


def _retenir(client: Client, communaute: Communaute, retenu: Retenu) -> None:
    """Une demande de la Personne : elle remplace ce qu'un chargement précédent avait fait retenir."""
    plateforme = communaute.espaces[retenu.espace].plateforme
    corps = {
        "personne": {"plateforme": plateforme, "id": communaute.id_de(retenu.personne)},
        "origine": "demande",
        "categorie": retenu.categorie,
        "contenu": retenu.contenu,
        "espace": {"id": identifiant(retenu.espace), "visibilite": "public"},
    }
    client.poster("souvenirs/", corps, attendu=201)


def _pause(client: Client, chemin: str, plateforme: str, externe_id: str, *, attendu: int) -> None:
    client.poster(chemin, {"personne": {"plateforme": plateforme, "id": externe_id}}, attendu=attendu)
