"""Ce que la démonstration installe par les services : accès au Poste, bots, identités, lieux."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.utils.timezone import now

from horizon.demo.communaute import Communaute, Espace, identifiant
from horizon.models import Bot, Compte, Identite, Utilisateur
from horizon.models import Espace as EspaceEnBase
from horizon.models.utilisateurs import Role
from horizon.noyau.decision import EXPLOITATION
from horizon.services import acces, bots, espaces, identites

ACCES = (("capitaine", Role.CAPITAINE), ("chloe", Role.SA), ("ada", Role.MEMBRE))
"""Nom de connexion, qui est aussi la clé de la Personne, et rôle."""

PASSERELLES = {"passerelle-twitch": "twitch", "passerelle-discord": "discord"}
PORTEES_PASSERELLE = ("evenements", "contexte", "souvenirs", "droits")
PORTEES_CHARGEMENT = ("evenements", "souvenirs", "droits")
CHARGEMENT = "chargement de la démonstration "
VIE_DE_LA_CLE = timedelta(minutes=10)
MOTIF = "Équipage de démonstration"


@dataclass(frozen=True, slots=True)
class Acces:
    """Un accès de démonstration et son mot de passe en clair, montré une fois."""

    nom: str
    role: str
    mot_de_passe: str


def etat_de_la_base() -> Literal["vide", "demonstration", "reelle"]:
    """Ce que contient la base : la démonstration ne se mêle jamais à de vraies données."""
    if Utilisateur.objects.filter(demonstration=True).exists():
        return "demonstration"
    modeles = (Utilisateur, Bot, Identite, EspaceEnBase)
    return "reelle" if any(modele._default_manager.exists() for modele in modeles) else "vide"


# --- Accès au Poste


def ouvrir_les_acces(mots: list[str]) -> list[Acces]:
    """Crée les comptes du Poste, ou tire au sort un nouveau mot de passe pour ceux qui existent."""
    return [_ouvrir(nom, role, _tirer(mots)) for nom, role in ACCES]


def _ouvrir(nom: str, role: Role, mot_de_passe: str) -> Acces:
    compte = Utilisateur.objects.filter(nom=nom, demonstration=True).first()
    if compte is None:
        acces.creer(
            nom=nom, role=role, par=EXPLOITATION, maintenant=now(), mot_de_passe=mot_de_passe, demonstration=True
        )
    else:
        compte.set_password(mot_de_passe)
        compte.save(update_fields=["password"])
    return Acces(nom, str(role.label), mot_de_passe)


def _tirer(mots: list[str]) -> str:
    """Quatre mots et quatre chiffres : se lit, se dicte, ne se devine pas."""
    return "-".join([*(secrets.choice(mots) for _ in range(4)), f"{secrets.randbelow(10_000):04d}"])


def relier_le_membre(communaute: Communaute) -> None:
    """Attache l'accès du Membre à l'Identité de sa Personne, si rien ne l'a déjà fait."""
    for nom, role in ACCES:
        if role == Role.MEMBRE:
            cle = (communaute.personnes[nom].plateformes[0], communaute.id_de(nom))
            compte = Compte.objects.get(plateforme=cle[0], externe_id=cle[1])
            Utilisateur.objects.filter(nom=nom, demonstration=True, identite=None).update(identite=compte.identite_id)


# --- Bots


def ouvrir_le_chargement(prefixe: str) -> tuple[Bot, str]:
    """Le bot du chargement et sa clé, qui meurt d'elle-même si le chargement est interrompu."""
    return bots.creer(
        nom=f"{CHARGEMENT}{prefixe}",
        plateformes=PASSERELLES.values(),
        portees=PORTEES_CHARGEMENT,
        par=EXPLOITATION,
        maintenant=now(),
        expire_le=now() + VIE_DE_LA_CLE,
    )


def chargements() -> dict[str, Bot]:
    """Chargements passés, par préfixe de messages. Une clé révoquée signe un chargement mené à bien."""
    return {b.nom.removeprefix(CHARGEMENT): b for b in Bot.objects.filter(nom__startswith=CHARGEMENT + "demo-")}


def charge_depuis(instant: datetime) -> bool:
    """Vrai si un chargement entier a eu lieu depuis cet instant."""
    return any(b.revoque_le is not None and b.cree_le >= instant for b in chargements().values())


def ouvrir_les_passerelles() -> dict[str, str]:
    """Deux bots prêts à l'emploi et leurs clés neuves ; les précédentes ne valent plus."""
    effacer_les_bots(Bot.objects.filter(nom__in=PASSERELLES))
    return {
        nom: bots.creer(
            nom=nom, plateformes=[plateforme], portees=PORTEES_PASSERELLE, par=EXPLOITATION, maintenant=now()
        )[1]
        for nom, plateforme in PASSERELLES.items()
    }


def cloturer(bot: Bot) -> None:
    """Révoque la clé d'un chargement mené à bien."""
    bots.revoquer(bot_id=bot.pk, par=EXPLOITATION, maintenant=now())


def effacer_les_bots(perimes: Iterable[Bot]) -> None:
    """Révoque puis retire des bots de démonstration : en garder un par lancement noierait ceux qui servent."""
    for bot in perimes:
        bots.revoquer(bot_id=bot.pk, par=EXPLOITATION, maintenant=now())
        bot.delete()


# --- Identités et lieux


def poser_le_decor(communaute: Communaute) -> None:
    """Automates déclarés, Identités revendiquées et liées, espaces rendus mémorisables. Déjà faits : sans effet."""
    for cle, automate in communaute.automates.items():
        if automate.nature in ("poubelle", "bot"):
            for plateforme in automate.plateformes:
                _declarer(plateforme, communaute.id_de(cle), automate.nature)
    for cle, personne in communaute.personnes.items():
        if personne.revendiquee:
            _revendiquer([(plateforme, communaute.id_de(cle)) for plateforme in personne.plateformes])
    for cle, espace in communaute.espaces.items():
        if espace.configure and not espace.prive:
            _ouvrir_l_espace(cle, espace)


def _declarer(plateforme: str, externe_id: str, nature: str) -> None:
    if not Compte.objects.filter(plateforme=plateforme, externe_id=externe_id, nature=nature).exists():
        identites.configurer_compte(
            plateforme=plateforme, externe_id=externe_id, nature=nature, par=EXPLOITATION, maintenant=now()
        )


def _revendiquer(comptes: list[identites.Cle]) -> None:
    (plateforme, externe_id), *autres = comptes
    deja = Compte.objects.filter(externe_id=externe_id, identite__revendiquee_le__isnull=False).count()
    if deja < len(comptes):
        identites.revendiquer(
            plateforme=plateforme, externe_id=externe_id, motif=MOTIF, lier=autres, par=EXPLOITATION, maintenant=now()
        )


def _ouvrir_l_espace(cle: str, espace: Espace) -> None:
    ouvert = espaces.configurer(
        plateforme=espace.plateforme,
        externe_id=identifiant(cle),
        visibilite="public",
        nom=espace.nom,
        par=EXPLOITATION,
        maintenant=now(),
    )
    espaces.rouvrir(espace_id=ouvert.pk, par=EXPLOITATION, maintenant=now())


def fermer_l_espace(plateforme: str, externe_id: str, *, retirer: bool) -> None:
    """Le Capitaine ferme un espace, ou l'exploitation le retire."""
    if retirer:
        espaces.retirer(plateforme=plateforme, externe_id=externe_id, par=EXPLOITATION, maintenant=now())
        return
    espace = EspaceEnBase.objects.get(plateforme=plateforme, externe_id=externe_id)
    espaces.fermer(espace_id=espace.pk, par=EXPLOITATION, maintenant=now())
