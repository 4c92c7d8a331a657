"""Paramètres de la mémoire à court terme."""

from datetime import timedelta

from horizon.parametres import Definition, declarer

BORNE_HAUTE = timedelta(hours=24)
BORNE_BASSE = timedelta(hours=1)

DUREE_COURTE = declarer(
    Definition(
        cle="duree_courte",
        libelle="Durée de la mémoire à court terme",
        aide="Réduire s’applique aussi à ce qui est déjà gardé. Rallonger ne prolonge rien de déjà reçu, "
        "et ne vaut en privé qu’après un nouvel avis.",
        unite="heures",
        initiale=24,
        minimum=int(BORNE_BASSE.total_seconds() // 3600),
        maximum=int(BORNE_HAUTE.total_seconds() // 3600),
        sensible=True,
    )
)
