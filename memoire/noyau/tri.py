"""Le tri : ce qui est admissible en mémoire courte, et sinon pourquoi (CT-02, CT-03, CT-15, CT-19). Python pur.

Une seule fonction décide, dans un ordre fixe : qui parle, ce que le bot en dit, ce que dit le texte, où cela se passe,
ce que la Personne a voulu. L'étiquette du bot et notre lecture se cumulent : la plus stricte l'emporte.
"""

import re

from msgspec import Struct

from horizon.noyau.decision import Decision
from horizon.noyau.evenements import Message
from horizon.noyau.lieux import LieuConnu
from horizon.noyau.motifs import COMPTES_FICTIFS
from horizon.noyau.texte import sans_invisibles_en_tete

_COMMANDE = re.compile(r"[!/]\w")
_MENTION_EN_TETE = re.compile(r"(?:<@!?\d+>|@\S+)\s+")
_ACTION = re.compile(r"\x01ACTION (.*?)\x01?", re.DOTALL)


class Faits(Struct, frozen=True):
    """Ce que le serveur sait d'un message avant de décider. `poubelles` : comptes déclarés de P.O.U.B.E.L.L.E."""

    lieu: LieuConnu | None
    nature_du_compte: str | None
    poubelles: frozenset[str] = frozenset()


def texte_dit(contenu: str) -> str:
    """Le texte tel que la Personne l'a dit : sans l'enveloppe technique d'un `/me`."""
    action = _ACTION.fullmatch(contenu)
    return action.group(1) if action else contenu


def motif_du_texte(texte: str, en_reponse: bool) -> str:
    """`vide`, `commande`, ou chaîne vide si le texte est une parole.

    Une réponse Twitch commence par une mention ajoutée par la plateforme : elle est sautée avant de chercher une
    commande. Hors réponse, une mention tapée à la main n'est pas sautée. `!2` est une commande comme `!mot`.
    """
    cle = sans_invisibles_en_tete(texte)
    if not cle:
        return "vide"
    if en_reponse:
        cle = sans_invisibles_en_tete(_MENTION_EN_TETE.sub("", cle, count=1)) or cle
    return "commande" if _COMMANDE.match(cle) else ""


def _motif_de_l_auteur(message: Message, faits: Faits) -> str:
    if (message.plateforme, message.auteur.id) in COMPTES_FICTIFS:
        return "anonyme"
    if message.auteur.nature in ("webhook", "systeme"):
        return message.auteur.nature
    # Une plateforme dit « bot » de P.O.U.B.E.L.L.E. aussi : déclarée, elle se juge sur son étiquette.
    autre_bot = message.auteur.nature == "bot" and faits.nature_du_compte != "poubelle"
    return "bot" if autre_bot or faits.nature_du_compte == "bot" else ""


def parle_poubelle(message: Message, nature_du_compte: str | None) -> bool:
    """Vrai si l'auteur est P.O.U.B.E.L.L.E., que le bot le dise ou que le serveur le sache."""
    return message.auteur.nature == "poubelle" or nature_du_compte == "poubelle"


def _motif_de_l_etiquette(message: Message, faits: Faits) -> str:
    if message.nature in ("commande", "annonce", "systeme"):
        return message.nature
    # Un compte que le serveur tient pour une Personne n'est pas P.O.U.B.E.L.L.E. sur la foi d'une étiquette.
    etiquete = (
        message.auteur.nature == "poubelle"
        and message.nature == "conversation"
        and faits.nature_du_compte != "personne"
    )
    return "non_etiquete" if parle_poubelle(message, faits.nature_du_compte) and not etiquete else ""


def en_prive(message: Message, faits: Faits) -> bool:
    """Vrai si le bot ou le serveur dit l'espace privé : le plus strict des deux. D'un espace jamais configuré où
    personne n'a parlé, le serveur ne sait rien."""
    lieu = faits.lieu
    su = lieu is not None and (lieu.configuration != "inconnu" or lieu.interlocuteur is not None)
    return message.espace.visibilite == "prive" or (su and lieu is not None and lieu.visibilite == "prive")


def personne_en_prive(message: Message, faits: Faits) -> str | None:
    """La Personne d'un échange à deux avec P.O.U.B.E.L.L.E., sinon None."""
    presents = set(message.espace.participants or ())
    autres = presents - faits.poubelles - {"poubelle"}
    if parle_poubelle(message, faits.nature_du_compte):
        autres.discard(message.auteur.id)
    return next(iter(autres)) if len(presents) == 2 and len(autres) == 1 else None


def _motif_du_lieu(message: Message, faits: Faits) -> str:
    lieu = faits.lieu
    if lieu is not None and lieu.ferme:
        return "espace_ferme"
    if lieu is not None and lieu.fil_prive:
        return "fil_prive"
    if en_prive(message, faits):
        return _motif_du_prive(message, faits)
    return "" if lieu is not None and lieu.configuration == "memorise" else "espace_non_configure"


def _motif_du_prive(message: Message, faits: Faits) -> str:
    if len(set(message.espace.participants or ())) > 2:
        return "groupe_prive"
    personne = personne_en_prive(message, faits)
    if personne is None or (not parle_poubelle(message, faits.nature_du_compte) and message.auteur.id != personne):
        return "prive_sans_poubelle"
    lieu = faits.lieu
    if lieu is None:
        return ""
    if lieu.configuration == "retire":
        return "espace_non_configure"
    if lieu.configuration == "memorise" and lieu.visibilite == "public":
        # Un salon configuré public n'est pas un échange à deux, quoi qu'en dise le bot.
        return "prive_sans_poubelle"
    # Un échange privé appartient à une seule Personne : une autre dans le même lieu en fait un groupe.
    return "groupe_prive" if lieu.interlocuteur not in (None, personne) else ""


def trier(message: Message, faits: Faits, *, en_pause: bool = False) -> Decision:
    """Décide si un message entre en mémoire courte ; rend le texte à garder, ou le motif d'exclusion.

    `en_pause` : la Personne concernée a suspendu sa mémorisation, partout ou ici.
    """
    texte = texte_dit(message.contenu)
    motif = (
        _motif_de_l_auteur(message, faits)
        or _motif_de_l_etiquette(message, faits)
        or motif_du_texte(texte, message.reponse_a is not None)
        or _motif_du_lieu(message, faits)
        or ("pause" if en_pause else "")
    )
    return Decision(admis=not motif, code=motif, texte="" if motif else texte)
