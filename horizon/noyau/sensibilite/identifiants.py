"""Les identifiants que leur forme ou leur somme de contrôle trahit. Aucun contexte ne les désarme.

Chaque détecteur lit la vue `brute` : le texte en NFKC, sans caractères invisibles. Les sommes de contrôle (IBAN, carte,
NIR) viennent de python-stdnum ; les jetons d'accès se reconnaissent à leur préfixe.
"""

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass

from stdnum import iban, luhn
from stdnum.fr import nir

from horizon.noyau.sensibilite.avis import Sensible, Verdict


@dataclass(frozen=True, slots=True)
class Identifiant:
    """Un identifiant reconnu. `debut`, `fin` : bornes dans la vue brute."""

    regle: str
    categorie: str
    decision: Verdict
    debut: int
    fin: int


def _chiffres(texte: str) -> str:
    return re.sub(r"[^0-9A-Za-z]", "", texte)


def _carte(texte: str) -> bool:
    chiffres = _chiffres(texte)
    return len(set(chiffres)) > 2 and luhn.is_valid(chiffres)


def _iban(texte: str) -> bool:
    compact = _chiffres(texte).upper()
    return any(iban.is_valid(compact[:fin]) for fin in range(len(compact), 14, -1))


def _nir(texte: str) -> bool:
    return nir.is_valid(_chiffres(texte).upper())


def _adresse_publique(texte: str) -> bool:
    try:
        adresse = ipaddress.ip_address(texte)
    except ValueError:
        return False
    return not (adresse.is_private or adresse.is_loopback or adresse.is_unspecified or adresse.is_multicast)


def _coordonnees(texte: str) -> bool:
    latitude, longitude = (abs(float(nombre.replace(",", "."))) for nombre in re.findall(r"\d{1,3}[.,]\d+", texte)[:2])
    return latitude <= 90 and longitude <= 180


def _toujours(_texte: str) -> bool:
    return True


_S, _L = Sensible.SECRET, Sensible.LOCALISATION
_R, _V = Verdict.REFUS, Verdict.VIGILANCE
_SEP = r"[ .\-_/]?"
_NIR_BRUT = rf"(?<!\d)[12]{_SEP}\d\d{_SEP}\d\d{_SEP}(?:\d\d|2[AaBb]){_SEP}\d{{3}}{_SEP}\d{{3}}{_SEP}\d\d(?!\d)"

_DETECTEURS: tuple[tuple[str, str, Verdict, re.Pattern[str], Callable[[str], bool]], ...] = tuple(
    (nom, categorie, decision, re.compile(motif), controle)
    for nom, categorie, decision, motif, controle in (
        ("iban", _S, _R, r"(?<![A-Za-z0-9])[A-Za-z]{2}\d\d(?: ?[A-Za-z0-9]){11,30}", _iban),
        ("carte", _S, _R, r"(?<!\d)\d(?:[ \-.]?\d){12,18}(?!\d)", _carte),
        ("nir", _S, _R, _NIR_BRUT, _nir),
        ("nir_ecrit", _S, _R, rf"(?i:s[eé]cu\w*|nir)\W{{1,4}}{_NIR_BRUT}", _toujours),
        ("cle_privee", _S, _R, r"-----BEGIN [A-Z ]{0,30}(?:PRIVATE KEY|OPENSSH)", _toujours),
        ("cle_ssh", _S, _R, r"\bssh-(?:rsa|ed25519|dss) [A-Za-z0-9+/=]{12,}", _toujours),
        ("jwt", _S, _R, r"\beyJ[\w\-]{8,}\.[\w\-]{4,}\.?[\w\-]*", _toujours),
        (
            "jeton",
            _S,
            _R,
            r"\b(?:gh[pousr]_\w{12,}|github_pat_\w{12,}|glpat-[\w\-]{10,}|xox[abprs]-[\w\-]{8,}|sk-[\w\-]{12,}"
            r"|sk_live_\w{8,}|AKIA[0-9A-Z]{12,}|AIza[\w\-]{20,}|oauth:\w{12,}|live_\d{4,}_\w{5,}|hf_\w{16,})",
            _toujours,
        ),
        ("webhook", _S, _R, r"/api/webhooks/\d+/[\w\-]+", _toujours),
        ("jeton_discord", _S, _R, r"\b[MNO][\w\-]{22,27}\.[\w\-]{5,7}\.[\w\-]{20,}", _toujours),
        (
            "portefeuille",
            _S,
            _R,
            r"\b(?:5[HJK][1-9A-HJ-NP-Za-km-z]{48,50}|[KL][1-9A-HJ-NP-Za-km-z]{50,51})\b",
            _toujours,
        ),
        (
            "telephone",
            _L,
            _R,
            r"(?<![\d.,/])(?:(?:\+|00) ?\d{2,3}(?:[ .\-]?\(0\))?|0)[ .\-]?[1-9](?:[ .\-]?\d\d){4}(?![\d])",
            _toujours,
        ),
        ("adresse_ip", _L, _R, r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])", _adresse_publique),
        (
            "coordonnees",
            _L,
            _R,
            r"(?<![\d.,])-?\d{1,2}[.,]\d{3,}°? ?[NSns]?[ ,;/]{1,3}-?\d{1,3}[.,]\d{3,}(?!\d)",
            _coordonnees,
        ),
        ("courriel", "", _V, r"[\w.+\-]{1,64}@[\w\-]{1,63}(?:\.[\w\-]{2,63}){1,4}", _toujours),
    )
)


def reconnaitre(brut: str) -> Identifiant | None:
    """L'identifiant le plus sévère de cette vue brute, ou rien."""
    trouve = None
    for nom, categorie, decision, motif, controle in _DETECTEURS:
        for occurrence in motif.finditer(brut):
            if controle(occurrence.group()):
                trouve = Identifiant(f"identifiant/{nom}", str(categorie), decision, *occurrence.span())
                break
        if trouve and trouve.decision is Verdict.REFUS:
            return trouve
    return trouve
