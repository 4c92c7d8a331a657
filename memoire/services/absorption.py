"""Absorber une Identité non revendiquée : elle n'a ni souvenir ni proposition, que des verrous d'oubli (ID-11)."""

from uuid import UUID

from memoire.models import VerrouOubli


def absorber(source: UUID, cible: UUID) -> None:
    """Le verrou le plus récent de chaque catégorie l'emporte : lier un compte ne lève pas un oubli."""
    for verrou in VerrouOubli.objects.filter(identite=source):
        garde, neuf = VerrouOubli.objects.get_or_create(
            identite_id=cible, categorie=verrou.categorie, defaults={"avant": verrou.avant}
        )
        if not neuf and garde.avant < verrou.avant:
            VerrouOubli.objects.filter(pk=garde.pk).update(avant=verrou.avant)
