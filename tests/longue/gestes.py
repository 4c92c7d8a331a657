"""Gestes d'un bot de mémoire longue."""

from typing import Any

from tests.fabriques import ADA, SALON, Banc

ADORE = "adore les jeux de plateforme"
INTERDIT = "est diabétique depuis ses dix ans"
DOUTEUX = "son courriel est ada@exemple.fr"


def personne(qui: str = ADA, plateforme: str = "twitch") -> dict[str, str]:
    return {"plateforme": plateforme, "id": qui}


def memoriser(banc: Banc, contenu: str = ADORE, categorie: str | None = "preference", **champs: Any) -> Any:
    """`POST souvenirs/` ; une demande d'Ada, née dans le salon public."""
    corps = {"personne": personne(), "origine": "demande", "contenu": contenu, "espace": SALON} | champs
    return banc.poster("souvenirs/", corps | ({"categorie": categorie} if categorie else {}))


def proposer(banc: Banc, contenu: str, sources: list[str], categorie: str = "preference", **champs: Any) -> Any:
    return memoriser(banc, contenu, categorie, origine="proposition", sources=sources, **{"fiabilite": 80} | champs)


def observer(banc: Banc, sens: str, reference: str, categorie: str = "preference", **champs: Any) -> Any:
    corps = {"personne": personne(), "categorie": categorie, "sens": sens, "reference": reference, "fiabilite": 80}
    return banc.poster("souvenirs/observations/", corps | champs)


def annoncer(banc: Banc, cible: dict[str, Any], qui: dict[str, str] | None = None) -> Any:
    return banc.poster("oublis/", {"personne": qui or personne(), "cible": cible})


def oublier(banc: Banc, cible: dict[str, Any], qui: dict[str, str] | None = None) -> Any:
    """Annonce puis confirme ; rend la réponse de la confirmation."""
    annonce = annoncer(banc, cible, qui)
    assert annonce.status_code == 202, annonce.content
    return banc.poster("oublis/confirmation/", {"jeton": annonce.json()["jeton"]})


def retenus(banc: Banc, **champs: Any) -> dict[str, str]:
    """Souvenirs d'Ada tels que le contexte du salon les rend : catégorie → texte."""
    return {s["categorie"]: s["contenu"] for s in banc.contexte(**champs)["souvenirs"]}


def certitude(banc: Banc, categorie: str = "preference") -> str:
    return next(s["certitude"] for s in banc.contexte()["souvenirs"] if s["categorie"] == categorie)
