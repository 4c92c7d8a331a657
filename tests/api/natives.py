"""Charges natives inventées, et ce qu'on en attend. Une charge en liste est une suite d'envois."""

import hashlib
import hmac
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.fabriques import Banc

CHARGES = Path(__file__).parent.parent / "charges" / "natives"
SOIR = datetime(2026, 5, 2, 20, 46, tzinfo=UTC)
SECRET = "balai-de-la-soute-0042"
CHAINE, SALON = "700500", "1200000000000000101"
POUBELLES = (("twitch", "81009999"), ("discord", "1200000000000000099"))
ETIQUETEES = {
    "t07_poubelle": "?nature=conversation&interlocuteur=81000001",
    "d22_poubelle": "?nature=conversation&interlocuteur=2200000000000000012",
}

M, X, RIEN, S, MO = "memorise", "exclu", "ignore", "supprime", "modifie"
Issue = tuple[str, str | None]
ATTENDUS: dict[str, list[Issue]] = {
    "t01_message": [(M, None)],
    "t03_reponse_commande": [(X, "commande")],
    "t08_suppression": [(S, None)],
    "t09_purge": [(S, None)],
    "t17_bannissement": [(S, None)],
    "t10_vidage": [(S, None)],
    "t02_fragments": [(M, None)],
    "t04_action": [(M, None)],
    "t05_autre_chaine": [(X, "autre_chaine")],
    "t05_chez_nous_en_partage": [(M, None)],
    "t06_autre_bot": [(X, "bot")],
    "t07_poubelle": [(M, None)],
    "t11_annonce": [(X, "annonce")],
    "t11_annonce_partagee": [(X, "annonce")],
    "t12_reabonnement": [(X, "annonce")],
    "t13_cadeau_anonyme": [(X, "anonyme")],
    "t14_raid": [(RIEN, None)],
    "t15_direct_debut": [("compte", None)],
    "t16_direct_fin": [("compte", None)],
    "t18_webhook": [(M, None)],
    "t20_revocation": [(RIEN, None)],
    "t21_irc_en_neutre": [(M, None), (S, None), (X, "anonyme")],
    "d01_message": [(M, None)],
    "d02_parent_supprime": [(M, None), (S, None)],
    "d03_reponse": [(M, None)],
    "d04_sans_texte": [(X, "vide")],
    "d05_webhook": [(X, "webhook")],
    "d06_pluralkit": [(M, None), (X, "webhook"), (S, None)],
    "d07_diffusion": [(X, "annonce"), (S, None)],
    "d08_commande": [(X, "commande")],
    "d09_ephemere": [(X, "commande")],
    "d10_modification": [(MO, None)],
    "d11_apercu": [(RIEN, None), (RIEN, None)],
    "d12_devenu_commande": [(S, "commande")],
    "d13_suppression": [(S, None)],
    "d14_suppression_en_lot": [(S, None)],
    "d15_prive": [(X, "avis_requis")],
    "d16_groupe": [(X, "groupe_prive")],
    "d17_transfert": [(X, "citation")],
    "d18_fils": [(M, None), (RIEN, None), (M, None), (X, "fil_prive"), (S, None)],
    "d19_interaction": [(X, "commande")],
    "d20_systeme": [(X, "systeme"), (X, "systeme")],
    "d21_autre_bot": [(X, "bot")],
    "d22_poubelle": [(M, None)],
    "d23_textes": [
        (M, None), (X, "vide"), (X, "commande"), (X, "commande"), (M, None), (M, None), ("invalide", "forme"),
    ],
    "d24_long": [(M, None)],
    "d25_compte_supprime": [(X, "anonyme")],
    "d26_meme_identifiant": [(M, None), (M, None)],
    "d27_presence": [(RIEN, None)],
    "e01_neutre": [(M, None), (S, None)],
}  # fmt: skip
"""Dans l'ordre où elles arrivent. Les charges en forme neutre passent par `evenements/`."""

Envoi = tuple[str, Any]


def charge(nom: str) -> Any:
    return json.loads((CHARGES / f"{nom}.json").read_text(encoding="utf-8"))


def envois(nom: str) -> list[Envoi]:
    """Suite de (chemin, corps) d'une charge."""
    lue = charge(nom)
    suite = lue if isinstance(lue, list) else [lue]
    return [(_chemin(nom, corps), corps) for corps in suite]


def _chemin(nom: str, corps: Any) -> str:
    if "evenements" in corps:
        return "evenements/"
    plateforme = "twitch" if nom[0] == "t" else "discord"
    return f"evenements/{plateforme}/{ETIQUETEES.get(nom, '')}"


def entetes(genre: str = "notification", quand: str = "2026-05-02T20:40:00.5Z", ident: str = "11v-1") -> dict[str, str]:
    """En-têtes d'un webhook EventSub, sans signature."""
    return {
        "Twitch-Eventsub-Message-Id": ident,
        "Twitch-Eventsub-Message-Retry": "0",
        "Twitch-Eventsub-Message-Type": genre,
        "Twitch-Eventsub-Message-Timestamp": quand,
        "Twitch-Eventsub-Subscription-Type": "channel.chat.message",
    }


def signature(corps: bytes, ident: str, quand: str, secret: str = SECRET) -> str:
    return "sha256=" + hmac.new(secret.encode(), ident.encode() + quand.encode() + corps, hashlib.sha256).hexdigest()


def resultats(banc: Banc, chemin: str, corps: Any) -> list[dict[str, Any]]:
    """Relaie une charge et rend ses résultats."""
    reponse = banc.poster(chemin, corps, **(entetes() if "subscription" in corps else {}))
    assert reponse.status_code == 200, reponse.content
    return reponse.json()["resultats"]


def relayer(banc: Banc, nom: str) -> list[dict[str, Any]]:
    """Relaie toute une charge ; ses résultats bout à bout."""
    return [r for chemin, corps in envois(nom) for r in resultats(banc, chemin, corps)]
