"""Les couches du garde, dans un ordre fixe : chacune ne peut que durcir (SE-08)."""

from collections.abc import Collection

from horizon.noyau.sensibilite.avis import LONGUEUR_MAXIMALE, Avis, Verdict, Versions

VERSION = str(Versions("1", "0", "0"))


def examiner(
    texte: str, *, origine: str = "demande", categorie: str = "", sujet: str = "", pseudonymes: Collection[str] = ()
) -> Avis:
    """L'avis du garde sur `texte`.

    `origine` : un code d'`Origine` ; `categorie` : le code de la catégorie de souvenir visée ; `sujet` : le pseudonyme
    de la Personne que le souvenir concerne ; `pseudonymes` : ceux de la communauté, pour reconnaître un tiers.
    Ne lève jamais, quel que soit le texte.
    """
    if len(texte) > LONGUEUR_MAXIMALE:
        return Avis(Verdict.REFUS, regle="longueur", versions=VERSION)
    return Avis(Verdict.ADMIS, versions=VERSION)
