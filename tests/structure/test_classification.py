"""Tout champ de tout modèle est classé ; tout modèle lié à une Identité a un participant qui le couvre."""

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import Model

from horizon import participants
from horizon.classification import BIBLIOTHEQUES, Classe, table
from horizon.models import Compte, Identite


@pytest.mark.exigence("SR-01")
def test_tout_champ_est_classe_une_fois() -> None:
    classement = table()
    reels = {
        m._meta.label: {f.name for f in m._meta.concrete_fields} for m in apps.get_models(include_auto_created=True)
    }
    ecarts = {
        label: sorted(champs ^ classement.get(label, {}).keys())
        for label, champs in reels.items()
        if champs ^ classement.get(label, {}).keys()
    }
    assert not ecarts
    assert not classement.keys() - reels.keys()
    assert not BIBLIOTHEQUES.keys() - reels.keys()


def _lies(modele: type[Model], vus: set[type[Model]]) -> set[type[Model]]:
    """Modèles atteints depuis `modele` par une clé étrangère qui pointe vers lui, de proche en proche."""
    for relation in modele._meta.get_fields(include_hidden=True):
        if relation.auto_created and not relation.concrete and relation.is_relation:
            lie = relation.related_model
            if isinstance(lie, type) and issubclass(lie, Model) and lie not in vus:
                vus.add(lie)
                _lies(lie, vus)
    return vus


@pytest.mark.exigence("SR-01")
def test_tout_modele_lie_a_une_identite_est_couvert() -> None:
    couverts = set().union(*(p.modeles for p in participants.tous()))
    lies = {m._meta.label for m in _lies(Identite, {Identite}) | _lies(Compte, {Compte})}
    # Ce qui pend à un compte du Poste (sessions, second facteur, historique) suit ce compte, pas l'Identité.
    du_poste = {label for label in lies if label.split(".")[0] in {"admin", "account", "mfa", "socialaccount"}}
    assert lies - du_poste - {"horizon.ChangementParametre"} <= couverts


@pytest.mark.exigence("SR-01", "CT-12")
def test_un_contenu_ne_vit_que_la_ou_il_est_annonce() -> None:
    contenus = {
        f"{label}.{champ}" for label, champs in table().items() for champ, c in champs.items() if c is Classe.CONTENU
    }
    assert {c for c in contenus if c.startswith(("horizon.", "memoire."))} == {
        "memoire.Interaction.contenu",
        "memoire.Interaction.contexte",
        "memoire.Interaction.action",
        "memoire.Interaction.resultat",
        "memoire.Souvenir.contenu",
        "memoire.Proposition.contenu",
        "memoire.Hypothese.texte",
    }


@pytest.mark.exigence("SR-12")
def test_str_d_un_modele_ne_dit_que_son_identifiant() -> None:
    for app in ("horizon", "statistiques", "memoire"):
        for modele in apps.get_app_config(app).get_models():
            objet = modele(
                **{
                    f.attname: "canari"
                    for f in modele._meta.concrete_fields
                    if f.get_internal_type() in ("CharField", "TextField")
                    and not f.primary_key
                    and f.name != "plateforme"
                }
            )
            assert "canari" not in str(objet), modele


@pytest.mark.django_db
@pytest.mark.exigence("SR-12")
def test_aucun_contenu_n_entre_dans_les_statistiques_de_la_base() -> None:
    """PostgreSQL y recopie des valeurs, et les y garde après leur effacement."""
    contenus = {
        (apps.get_model(label)._meta.db_table, apps.get_model(label)._meta.get_field(nom).column)
        for label, champs in table().items()
        for nom, classe in champs.items()
        if classe is Classe.CONTENU or ("pseudonyme" in nom and classe is Classe.IDENTIFIANT)
    }
    with connection.cursor() as curseur:
        curseur.execute(
            """SELECT relname, attname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
               WHERE attstattarget = 0 AND relkind = 'r'"""
        )
        sans = set(curseur.fetchall())
    assert contenus
    assert contenus <= sans, contenus - sans
