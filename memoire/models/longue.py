"""Mémoire à long terme : dix catégories, un souvenir chacune, et ce qui attend ou entoure une décision du Noyau."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import GreaterThanOrEqual, LessThanOrEqual

from horizon.models import Compte, Espace, Identite
from horizon.noyau.motifs import PLATEFORMES
from memoire.models.court import FINALITE as FINALITE_COURTE
from memoire.noyau.categories import CATEGORIES, LONGUEUR_MAX, Origine

FINALITE = "personnalisation"
"""La seule finalité d'un souvenir (NO-07)."""
CODES = list(CATEGORIES)
ORIGINES = [o.value for o in Origine]


def _categorie_connue(nom: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=models.Q(categorie__in=CODES), name=nom)


def _texte_borne(champ: str, nom: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=models.Q(GreaterThanOrEqual(Length(champ), 1))
        & models.Q(LessThanOrEqual(Length(champ), LONGUEUR_MAX)),
        name=nom,
    )


class Souvenir(models.Model):
    """Ce qui est retenu d'une Personne dans une catégorie : un seul texte, que remplacer écrase (LT-01, LT-03).

    `visibilite` et `plateformes` : portée d'origine, d'où se décide la divulgation. `sources` : messages d'origine
    encore tenus pour vrais ; à zéro, il est affaibli (CT-16). `garde` : version du garde qui l'a admis (SE-11).
    """

    identite = models.ForeignKey(Identite, on_delete=models.CASCADE, related_name="+")
    categorie = models.CharField("catégorie", max_length=12)
    contenu = models.TextField()
    finalite = models.CharField("finalité", max_length=20, default=FINALITE)
    origine = models.CharField(max_length=11, choices=[(o, o) for o in ORIGINES])
    visibilite = models.CharField("portée d’origine", max_length=6, choices=Espace.Visibilite.choices)
    plateformes = ArrayField(models.CharField(max_length=8))
    confiance = models.PositiveSmallIntegerField()
    contradictions = models.PositiveSmallIntegerField(default=0)
    sources = models.PositiveSmallIntegerField(default=0)
    enregistre_le = models.DateTimeField("enregistré le")
    gele_le = models.DateTimeField("gelé le", null=True)
    garde = models.CharField("version du garde", max_length=60)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("identite", "categorie"), name="souvenir_unique"),
            _categorie_connue("souvenir_categorie_connue"),
            _texte_borne("contenu", "souvenir_longueur"),
            models.CheckConstraint(condition=models.Q(confiance__lte=100), name="souvenir_confiance_bornee"),
            models.CheckConstraint(condition=models.Q(origine__in=ORIGINES), name="souvenir_origine_connue"),
            models.CheckConstraint(condition=models.Q(finalite=FINALITE), name="souvenir_finalite"),
            models.CheckConstraint(
                condition=models.Q(visibilite__in=("public", "prive")), name="souvenir_visibilite_connue"
            ),
            models.CheckConstraint(
                condition=models.Q(plateformes__contained_by=list(PLATEFORMES), plateformes__len__gte=1),
                name="souvenir_plateformes_connues",
            ),
            models.CheckConstraint(
                condition=~models.Q(categorie="confidence") | models.Q(origine="demande"),
                name="souvenir_confidence_demandee",
            ),
        )
        indexes = (models.Index(fields=("garde",), name="souvenir_par_garde"),)

    def __str__(self) -> str:
        return f"souvenir {self.pk}"


class Proposition(models.Model):
    """Un texte en attente d'accord, jamais actif, effacé à son terme (LT-08, SE-03).

    `jeton` : empreinte du jeton remis, à usage unique. `epoque` : celle de l'Identité à la demande ; un oubli
    ou une fusion la rend caduque. `corrige` : catégorie dont elle corrige le souvenir, vide sinon.
    """

    identite = models.ForeignKey(Identite, on_delete=models.CASCADE, related_name="+")
    epoque = models.PositiveIntegerField("époque")
    plateforme = models.CharField(max_length=8)
    categorie = models.CharField("catégorie", max_length=12)
    corrige = models.CharField(max_length=12, blank=True)
    contenu = models.TextField()
    finalite = models.CharField("finalité", max_length=20, default=FINALITE)
    origine = models.CharField(max_length=11)
    fiabilite = models.PositiveSmallIntegerField("fiabilité")
    visibilite = models.CharField("portée d’origine", max_length=6)
    valide_par = models.CharField("validée par", max_length=8)
    sensible = models.CharField("catégorie sensible soupçonnée", max_length=12, blank=True)
    regle = models.CharField("règle", max_length=60, blank=True)
    jeton = models.CharField("empreinte du jeton", max_length=64, unique=True)
    creee_le = models.DateTimeField("créée le")
    expire_a = models.DateTimeField("expire à", db_index=True)

    class Meta:
        constraints = (
            _categorie_connue("proposition_categorie_connue"),
            _texte_borne("contenu", "proposition_longueur"),
            models.CheckConstraint(condition=models.Q(origine__in=ORIGINES), name="proposition_origine_connue"),
            models.CheckConstraint(condition=models.Q(finalite=FINALITE), name="proposition_finalite"),
            models.CheckConstraint(
                condition=models.Q(valide_par__in=("personne", "sa")), name="proposition_validation_connue"
            ),
            models.CheckConstraint(
                condition=models.Q(
                    expire_a__lte=models.F("creee_le") + models.Value("24:00:00", models.DurationField())
                ),
                name="proposition_24_h",
            ),
        )
        indexes = (models.Index(fields=("valide_par", "creee_le"), name="proposition_a_trancher"),)

    def __str__(self) -> str:
        return f"proposition {self.pk}"


class Hypothese(models.Model):
    """Une supposition sur l'instant, jamais un fait : ne sert qu'au ton, meurt avec sa plus ancienne source (CT-10)."""

    compte = models.ForeignKey(Compte, on_delete=models.CASCADE, related_name="+")
    espace = models.ForeignKey(Espace, on_delete=models.CASCADE, related_name="+")
    visibilite = models.CharField("visibilité", max_length=6)
    texte = models.TextField()
    finalite = models.CharField("finalité", max_length=20, default=FINALITE_COURTE)
    creee_le = models.DateTimeField("créée le")
    expire_a = models.DateTimeField("expire à", db_index=True)

    class Meta:
        verbose_name = "hypothèse"
        verbose_name_plural = "hypothèses"
        constraints = (
            _texte_borne("texte", "hypothese_longueur"),
            models.CheckConstraint(condition=models.Q(finalite=FINALITE_COURTE), name="hypothese_finalite"),
            models.CheckConstraint(
                condition=models.Q(
                    expire_a__lte=models.F("creee_le") + models.Value("24:00:00", models.DurationField())
                ),
                name="hypothese_24_h",
            ),
        )

    def __str__(self) -> str:
        return f"hypothèse {self.pk}"


class Source(models.Model):
    """Un message dont dépend un souvenir, une proposition ou une hypothèse : identifiant seul, le temps que vit le
    message. Sa suppression retire ou affaiblit ce qui en dépend (CT-16)."""

    souvenir = models.ForeignKey(Souvenir, null=True, on_delete=models.CASCADE, related_name="+")
    proposition = models.ForeignKey(Proposition, null=True, on_delete=models.CASCADE, related_name="+")
    hypothese = models.ForeignKey(Hypothese, null=True, on_delete=models.CASCADE, related_name="+")
    plateforme = models.CharField(max_length=8)
    message_id = models.CharField("identifiant du message", max_length=128)
    expire_a = models.DateTimeField("expire à", db_index=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                name="source_d_une_seule_chose",
                condition=models.Q(souvenir__isnull=False, proposition__isnull=True, hypothese__isnull=True)
                | models.Q(souvenir__isnull=True, proposition__isnull=False, hypothese__isnull=True)
                | models.Q(souvenir__isnull=True, proposition__isnull=True, hypothese__isnull=False),
            ),
        )
        indexes = (models.Index(fields=("plateforme", "message_id"), name="source_par_message"),)

    def __str__(self) -> str:
        return f"source {self.pk}"


class Temoin(models.Model):
    """Une observation déjà comptée : empreinte à clé de sa référence, pour ne jamais la compter deux fois (CF-06)."""

    identite = models.ForeignKey(Identite, on_delete=models.CASCADE, related_name="+")
    categorie = models.CharField("catégorie", max_length=12)
    empreinte = models.CharField(max_length=32)
    vu_le = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = "témoin"
        constraints = (
            models.UniqueConstraint(fields=("identite", "categorie", "empreinte"), name="temoin_unique"),
            _categorie_connue("temoin_categorie_connue"),
        )

    def __str__(self) -> str:
        return f"témoin {self.pk}"


class VerrouOubli(models.Model):
    """Oubli d'une catégorie (ou de toutes : `categorie` vide) : rien de fondé sur des messages antérieurs ne la recrée
    (DR-03)."""

    identite = models.ForeignKey(Identite, on_delete=models.CASCADE, related_name="+")
    categorie = models.CharField("catégorie", max_length=12, blank=True)
    avant = models.DateTimeField()

    class Meta:
        verbose_name = "verrou d’oubli"
        verbose_name_plural = "verrous d’oubli"
        constraints = (models.UniqueConstraint(fields=("identite", "categorie"), name="verrou_unique"),)

    def __str__(self) -> str:
        return f"verrou {self.pk}"


class LibelleCategorie(models.Model):
    """Libellé choisi pour une catégorie ; absent, celui d'origine s'applique. Les dix codes sont fixes (LT-09)."""

    code = models.CharField(max_length=12, primary_key=True)
    libelle = models.CharField("libellé", max_length=40)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = "libellé de catégorie"
        verbose_name_plural = "libellés de catégories"
        constraints = (models.CheckConstraint(condition=models.Q(code__in=CODES), name="libelle_de_categorie_connue"),)

    def __str__(self) -> str:
        return f"libellé {self.pk}"


class DecisionNoyau(models.Model):
    """Décisions du Noyau comptées par heure, origine, catégorie, effet et motif : ni texte, ni Personne."""

    heure = models.DateTimeField(db_index=True)
    origine = models.CharField(max_length=11)
    categorie = models.CharField("catégorie", max_length=12, blank=True)
    effet = models.CharField(max_length=20)
    motif = models.CharField(max_length=30, blank=True)
    nombre = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = "décision du Noyau"
        verbose_name_plural = "décisions du Noyau"
        constraints = (
            models.UniqueConstraint(
                fields=("heure", "origine", "categorie", "effet", "motif"), name="decision_comptee_une_fois"
            ),
        )

    def __str__(self) -> str:
        return f"décision {self.pk}"
