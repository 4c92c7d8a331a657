"""Les couches du garde, dans un ordre fixe : chacune ajoute des constats, et le plus sévère l'emporte (SE-08).

    longueur → identifiants → règles → faute de frappe → tiers et rumeur → modèle → cadre → preuve

Aucune couche ne retire le constat d'une autre. Seules les expressions relues (`expressions.toml`) empêchent une règle
de se déclencher sur les mots qu'elles couvrent.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from horizon.noyau.sensibilite.avis import LONGUEUR_MAXIMALE, Avis, Sensible, Verdict, Versions
from horizon.noyau.sensibilite.donnees import empreinte
from horizon.noyau.sensibilite.fautes import radical_approche
from horizon.noyau.sensibilite.identifiants import reconnaitre
from horizon.noyau.sensibilite.langage import Trouvaille
from horizon.noyau.sensibilite.modele import Jugement, Modele, modele
from horizon.noyau.sensibilite.regles import CADRES, EXPRESSIONS, Reglement, reglement
from horizon.noyau.sensibilite.traits import familles
from horizon.noyau.sensibilite.vues import Jeton, demasquer, forme_plate, sans_invisibles

REVISION = "2"
VERSION = str(Versions(REVISION, empreinte("**/*.toml"), empreinte("modele.json")))

_FICTION = frozenset(
    {"indice/jeu", "indice/fiction", "indice/vocabulaire_jeu", "indice/creature", "indice/monnaie_jeu"}
)
_INOFFENSIF = frozenset(
    {
        *_FICTION,
        "indice/communaute",
        "indice/culture",
        "indice/gout",
        "indice/exploit",
        "indice/blague",
    }
)


@dataclass(frozen=True, slots=True)
class Constat:
    """Ce qu'une couche a vu. `soupcon` : n'a de sens que pour une vigilance."""

    verdict: Verdict
    regle: str
    categorie: str = ""
    vue: str = ""
    positions: tuple[tuple[int, int], ...] = ()
    soupcon: bool = False


@dataclass(frozen=True)
class Lecture:
    """Un texte lu une fois : ses jetons, ce qu'on y a reconnu, ce qu'en pense le modèle."""

    texte: str
    jetons: Sequence[Jeton]
    trouvailles: Sequence[Trouvaille]
    noms: frozenset[str]
    jugement: Jugement
    designee: str
    cites: frozenset[str]


def lire(texte: str, sujet: str, pseudonymes: Collection[str], regles: Reglement, juge: Modele) -> Lecture:
    """Tout ce que les couches ont besoin de savoir, calculé une fois."""
    jetons = demasquer(texte)
    trouvailles = regles.chercher(jetons)
    traits = familles(jetons, trouvailles)
    jugement = juge.juger(traits)
    connus = {forme_plate(pseudonyme) for pseudonyme in pseudonymes} - {forme_plate(sujet)}
    return Lecture(
        texte=texte,
        jetons=jetons,
        trouvailles=_hors_expressions(trouvailles),
        noms=frozenset(trouvaille.nom for trouvaille in trouvailles),
        jugement=jugement,
        designee=juge.designer(traits),
        cites=frozenset(jeton.forme for jeton in jetons if jeton.forme in connus),
    )


def _hors_expressions(trouvailles: Sequence[Trouvaille]) -> list[Trouvaille]:
    couverts = [(t.debut, t.fin) for t in trouvailles if t.nom == EXPRESSIONS]
    return [
        t
        for t in trouvailles
        if t.nom != EXPRESSIONS and not any(debut <= t.debut and t.fin <= fin for debut, fin in couverts)
    ]


def _situer(lecture: Lecture, trouvaille: Trouvaille) -> tuple[str, tuple[tuple[int, int], ...]]:
    """La vue qui a déclenché, et les bornes dans le texte d'origine."""
    jetons = lecture.jetons[trouvaille.debut : trouvaille.fin]
    vue = next((jeton.vue for jeton in jetons if jeton.vue != "plate"), "plate")
    return vue, ((jetons[0].debut, jetons[-1].fin),)


def _fictif(lecture: Lecture) -> bool:
    return bool(lecture.noms & _FICTION) and "indice/reel" not in lecture.noms


def _identifiants(lecture: Lecture) -> Iterator[Constat]:
    brut = sans_invisibles(lecture.texte)
    vu = reconnaitre(brut)
    if vu:
        positions = ((vu.debut, vu.fin),) if brut == lecture.texte else ()
        yield Constat(vu.decision, vu.regle, vu.categorie, "brute", positions)


def _regles(lecture: Lecture, regles: Reglement, juge: Modele) -> Iterator[Constat]:
    plancher = juge.seuils.refus_fiction if _fictif(lecture) else juge.seuils.refus_designe
    adouci = lecture.jugement.refus < plancher
    for trouvaille in lecture.trouvailles:
        regle = regles.regles.get(trouvaille.nom)
        if regle is None or regle.force == "contextuel":
            continue
        vue, positions = _situer(lecture, trouvaille)
        verdict = Verdict.VIGILANCE if adouci and regle.force == "fort" else Verdict.REFUS
        categorie = Sensible.TIERS if "indice/proche" in lecture.noms else regle.categorie
        yield Constat(verdict, regle.nom, categorie, vue, positions, soupcon=True)


def _fautes(lecture: Lecture, regles: Reglement) -> Iterator[Constat]:
    reconnus = {rang for trouvaille in lecture.trouvailles for rang in range(trouvaille.debut, trouvaille.fin)}
    for rang, jeton in enumerate(lecture.jetons):
        if rang in reconnus or jeton.forme in regles.courants:
            continue
        if radical_approche(jeton.forme, regles.radicaux):
            yield Constat(Verdict.VIGILANCE, "faute", "", "faute", ((jeton.debut, jeton.fin),), soupcon=True)
            return


def _autrui(lecture: Lecture, juge: Modele) -> Iterator[Constat]:
    """Un tiers nommé ou un proche, une accusation : le seuil du modèle est plus bas (SE-01)."""
    if lecture.jugement.refus < juge.seuils.refus_designe:
        if lecture.cites and lecture.noms & {"tiers/prive", "rumeur/ouidire"} and not _fictif(lecture):
            yield Constat(Verdict.VIGILANCE, "autrui", Sensible.TIERS, "demasquee", soupcon=True)
        return
    nomme = lecture.cites or any(jeton.nom for jeton in lecture.jetons)
    if "rumeur/ouidire" in lecture.noms and nomme and not _fictif(lecture):
        yield Constat(Verdict.REFUS, "rumeur/ouidire", Sensible.RUMEUR, "demasquee")
    elif "tiers/prive" in lecture.noms and (nomme or "indice/proche" in lecture.noms) and not _fictif(lecture):
        yield Constat(Verdict.REFUS, "tiers/prive", Sensible.TIERS, "demasquee")


def _modele(lecture: Lecture, juge: Modele) -> Iterator[Constat]:
    jugement, seuils = lecture.jugement, juge.seuils
    if jugement.refus >= seuils.refus:
        yield Constat(Verdict.REFUS, "modele", lecture.designee, "demasquee")
    elif jugement.reserve >= seuils.admis:
        soupcon = jugement.refus >= seuils.soupcon
        yield Constat(Verdict.VIGILANCE, "modele", lecture.designee if soupcon else "", "demasquee", soupcon=soupcon)


def _cadre(lecture: Lecture, regles: Reglement, juge: Modele) -> Iterator[Constat]:
    """« Dans le RP » devant une phrase : ce qui serait refusé sans ces mots ne peut finir qu'en vigilance."""
    couverts = {rang for t in lecture.trouvailles if t.nom == CADRES for rang in range(t.debut, t.fin)}
    if not couverts:
        return
    nus = [jeton for rang, jeton in enumerate(lecture.jetons) if rang not in couverts]
    if juge.juger(familles(nus, regles.chercher(nus))).refus >= juge.seuils.refus_designe:
        yield Constat(Verdict.VIGILANCE, "cadre", lecture.designee, "demasquee", soupcon=True)


def _preuve(lecture: Lecture, regles: Reglement, juge: Modele) -> Iterator[Constat]:
    """Ce qui n'est pas reconnu inoffensif n'est admis que si le modèle en est presque sûr."""
    douteux = any(trouvaille.nom in regles.regles for trouvaille in lecture.trouvailles)
    prouve = bool(lecture.noms & _INOFFENSIF) and not douteux
    if not prouve and lecture.jugement.reserve >= juge.seuils.admis_sans_preuve:
        soupcon = lecture.jugement.refus >= juge.seuils.soupcon
        yield Constat(Verdict.VIGILANCE, "sans_preuve", "", "demasquee", soupcon=soupcon)


def _constats(lecture: Lecture, regles: Reglement, juge: Modele) -> Iterator[Constat]:
    yield from _identifiants(lecture)
    yield from _regles(lecture, regles, juge)
    yield from _fautes(lecture, regles)
    yield from _autrui(lecture, juge)
    yield from _modele(lecture, juge)
    yield from _cadre(lecture, regles, juge)
    yield from _preuve(lecture, regles, juge)


def _gravite(constat: Constat) -> tuple[int, bool]:
    return constat.verdict.severite, constat.soupcon


def trancher(lecture: Lecture, regles: Reglement, juge: Modele) -> Avis:
    """Le constat le plus sévère ; à gravité égale, celui de la première couche, donc le plus explicable."""
    constats = list(_constats(lecture, regles, juge))
    if not constats:
        return Avis(Verdict.ADMIS, versions=VERSION)
    retenu = max(constats, key=_gravite)
    return Avis(
        decision=retenu.verdict,
        categorie=str(retenu.categorie),
        regle=retenu.regle,
        vue=retenu.vue,
        positions=retenu.positions,
        versions=VERSION,
        soupcon_de_refus=retenu.verdict is Verdict.VIGILANCE and retenu.soupcon,
    )


def examiner(
    texte: str, *, origine: str = "demande", categorie: str = "", sujet: str = "", pseudonymes: Collection[str] = ()
) -> Avis:
    """L'avis du garde sur `texte`.

    `origine` : un code d'`Origine` ; `categorie` : le code de la catégorie de souvenir visée ; `sujet` : le pseudonyme
    de la Personne que le souvenir concerne ; `pseudonymes` : ceux de la communauté, pour reconnaître un tiers.
    L'avis est le même pour toutes les origines et toutes les catégories : aucune ne vaut dispense (SE-01, SE-02).
    Ne lève jamais, quel que soit le texte.
    """
    if len(texte) > LONGUEUR_MAXIMALE:
        return Avis(Verdict.REFUS, regle="longueur", versions=VERSION)
    regles, juge = reglement(), modele()
    return trancher(lire(texte, sujet, pseudonymes, regles, juge), regles, juge)
