"""Vigilances à trancher : la liste sans texte, la révélation d'un seul, la décision (SE-12, DR-07)."""

from typing import Any

from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from horizon.noyau.motifs import CONSULTATIONS
from horizon.noyau.sensibilite import LIBELLES
from horizon.services.erreurs import Refus
from horizon.templatetags.poste import fr
from horizon.web.acces import acteur, echange, reauthentifie, rediriger, utilisateur
from memoire.noyau.phrases import ORIGINES
from memoire.noyau.souvenirs import Effet
from memoire.selectors import categories
from memoire.selectors import vigilances as selecteur
from memoire.services import validations
from memoire.services import vigilances as service
from memoire.services.souvenirs import Rendu
from memoire.web.formulaires import FormulaireConsultation

SEL = "vigilance-lue"
LUE_PENDANT = 600
"""Secondes pendant lesquelles qui a lu un texte peut le retenir sans le relire."""
REMASQUER = 60
"""Secondes après lesquelles le texte quitte la page."""
ISSUES = {
    Effet.ENREGISTRE: "Retenue : le souvenir est enregistré.",
    Effet.RENFORCE: "Rien à écrire : le souvenir présent disait déjà cela, sa confiance augmente.",
    Effet.CONSERVE: "Rien n’est écrit : le souvenir présent l’emporte.",
}


@require_safe
def liste(request: HttpRequest) -> HttpResponse:
    """Les vigilances ouvertes, de la plus pressée à la moins pressée."""
    return render(request, "memoire/vigilances.html", _file())


@require_http_methods(["GET", "HEAD", "POST"])
@reauthentifie
def une(request: HttpRequest, proposition_id: int) -> HttpResponse:
    """Une vigilance : GET sans son texte ; POST `reveler`, `retenir` ou `refuser`."""
    if request.method != "POST":
        return _fiche(request, proposition_id)
    acte = {"retenir": _retenir, "refuser": _refuser}.get(request.POST.get("acte", ""), _reveler)
    try:
        return acte(request, proposition_id)
    except Refus as refus:
        return _perdue(request, refus)


def _reveler(request: HttpRequest, proposition_id: int) -> HttpResponse:
    """Le texte part dans la réponse même du POST : ni URL, ni session, ni cache, ni page d'avant ne le voient."""
    formulaire = FormulaireConsultation(request.POST)
    if not formulaire.is_valid():
        faute = " ".join(str(f) for f in formulaire.errors.get("finalite", ()))
        return _fiche(request, proposition_id, statut=422, faute=faute)
    finalite = formulaire.cleaned_data["finalite"]
    texte = service.consulter(proposition_id, finalite, par=acteur(request), maintenant=timezone.now())
    lecture = signing.dumps([proposition_id, utilisateur(request).pk], salt=SEL)
    return _fiche(
        request, proposition_id, texte=texte, lecture=lecture, finalite=CONSULTATIONS[finalite], remasquer=REMASQUER
    )


def _retenir(request: HttpRequest, proposition_id: int) -> HttpResponse:
    """Seul qui vient de lire le texte peut le retenir."""
    try:
        lue = signing.loads(request.POST.get("lecture", ""), salt=SEL, max_age=LUE_PENDANT)
    except signing.BadSignature:
        lue = None
    if lue != [proposition_id, utilisateur(request).pk]:
        return _fiche(request, proposition_id, statut=422, faute="Lire le texte avant de le retenir.")
    return _trancher(request, proposition_id, True)


def _refuser(request: HttpRequest, proposition_id: int) -> HttpResponse:
    return _trancher(request, proposition_id, False)


def _trancher(request: HttpRequest, proposition_id: int, accepte: bool) -> HttpResponse:
    try:
        rendu = validations.trancher(proposition_id, accepte, par=acteur(request), maintenant=timezone.now())
    except Refus as refus:
        raise service.plus_a_trancher() if refus.statut == 410 else refus from None
    dit, retenue = _issue(rendu)
    if echange(request):
        return _file_fraiche(request, dit, "success" if retenue else "warning")
    (messages.success if retenue else messages.warning)(request, fr(dit))
    return rediriger(request, reverse("vigilances"))


def _issue(rendu: Rendu | None) -> tuple[str, bool]:
    """Ce qui s'est passé, et vrai si c'est ce que l'on voulait. Le Noyau peut refuser ce qu'un SA retient."""
    if rendu is None:
        return "Refusée : le texte est effacé, rien n’est retenu.", True
    if rendu.issue.effet is Effet.REFUSE:
        return f"Le Noyau a refusé au moment de retenir. {rendu.issue.phrase} Le texte est effacé.", False
    return ISSUES[rendu.issue.effet], True


def _perdue(request: HttpRequest, refus: Refus) -> HttpResponse:
    if echange(request):
        return _file_fraiche(request, refus.message, "warning", refus.statut)
    return render(request, "memoire/vigilance_perdue.html", {"dit": refus.message}, status=refus.statut)


def _file_fraiche(request: HttpRequest, dit: str, ton: str, statut: int = 200) -> HttpResponse:
    """La file entière, telle qu'elle est maintenant, visée quel que soit l'élément d'où part l'échange."""
    reponse = render(request, "memoire/_vigilances.html", {**_file(), "dit": dit, "ton": ton}, status=statut)
    reponse.headers["HX-Retarget"], reponse.headers["HX-Reswap"] = "#vigilances", "outerHTML"
    return reponse


def _file() -> dict[str, Any]:
    maintenant = timezone.now()
    vigilances = selecteur.a_trancher(maintenant)
    return {"lignes": vigilances, "attendent": selecteur.nombre(maintenant), **_mots()}


def _fiche(request: HttpRequest, proposition_id: int, statut: int = 200, **champs: Any) -> HttpResponse:
    v = selecteur.une(proposition_id, timezone.now())
    if v is None:
        return _perdue(request, service.plus_a_trancher())
    gabarit = "memoire/_vigilance.html" if echange(request) else "memoire/vigilance.html"
    return render(request, gabarit, {"v": v, **_mots(), **champs}, status=statut)


def _mots() -> dict[str, Any]:
    return {
        "libelles": categories.libelles(),
        "origines_en_mots": ORIGINES,
        "sensibles": {s.value: libelle for s, libelle in LIBELLES.items()},
        "consultations": CONSULTATIONS,
    }
