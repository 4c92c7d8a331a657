"""Réglages uniques : tout ce qui varie vient de l'environnement, rien n'est jamais en mode débogage.

Deux lieux seulement. *Local* (`HORIZON_HOTES` absent) : le Poste ne répond qu'à la boucle locale, sans TLS.
*Production* (`HORIZON_HOTES` donné) : TLS exigé, témoins de session sécurisés, HSTS.
"""

from datetime import timedelta
from pathlib import Path

from csp.constants import NONE, SELF
from environs import Env

from horizon.embarque import chemins

env = Env()
BASE_DIR = Path(__file__).resolve().parent.parent

DEBUG = False
DEMO = env.bool("HORIZON_DEMO", False)
DONNEES = chemins.donnees(BASE_DIR, env.str("HORIZON_DONNEES", ""))
HOTES: list[str] = env.list("HORIZON_HOTES", [])
LOCAL = not HOTES
SECRET_KEY = env.str("SECRET_KEY", "") or chemins.cle_secrete(DONNEES)
ALLOWED_HOSTS = HOTES or ["127.0.0.1", "localhost", "[::1]"]
ADRESSE_PUBLIQUE = env.str("HORIZON_ADRESSE", f"https://{HOTES[0]}" if HOTES else "http://127.0.0.1:8000")

INSTALLED_APPS = [
    "horizon.apps.Horizon",
    "statistiques.apps.Statistiques",
    "memoire.apps.Memoire",
    "collective.apps.Collective",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.forms",
    "rest_framework",
    "drf_spectacular",
    "django_celery_beat",
    "django_htmx",
    "csp",
    "pgtrigger",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.twitch",
    "allauth.socialaccount.providers.discord",
    "allauth.mfa",
]

MIDDLEWARE = [
    "horizon.web.middleware.Entetes",
    "csp.middleware.CSPMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "horizon.web.middleware.Commun",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "horizon.web.middleware.Politiques",
]

ROOT_URLCONF = "horizon.urls"
WSGI_APPLICATION = "horizon.wsgi.application"
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "horizon.web.contexte_gabarit.commun",
            ],
        },
    },
]

# --- Base : PostgreSQL donné par DATABASE_URL, sinon embarqué et démarré à la première connexion.
DATABASES = {"default": env.dj_db_url("DATABASE_URL", "") if env.str("DATABASE_URL", "") else {}}
if not DATABASES["default"]:
    DATABASES["default"] = {"ENGINE": "horizon.embarque.postgresql", "NAME": "horizon", "USER": "horizon"}
# Les requêtes de la voie chaude (`horizon.binaire`) sont préparées à leur troisième passage.
DATABASES["default"]["OPTIONS"] = {"prepare_threshold": 2, **DATABASES["default"].get("OPTIONS", {})}
DATABASES["default"] |= {"CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True, "ATOMIC_REQUESTS": False}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Registre des oublis : hors de la base, à sauvegarder à part d’elle (DR-10)
REGISTRE_DES_OUBLIS = env.str("HORIZON_REGISTRE", "") or str(DONNEES / "oublis.registre")

# --- File et cache : Redis donné par REDIS_URL, sinon Valkey embarqué sur socket Unix.
REDIS_URL = env.str("REDIS_URL", "") or f"unix://{chemins.socket_file(DONNEES)}"
CACHES = {
    "default": {
        "BACKEND": "horizon.cache.CacheTolerant",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "horizon",
        "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5},
    },
}
CELERY_BROKER_URL = (
    REDIS_URL
    if "://" in REDIS_URL and not REDIS_URL.startswith("unix")
    else f"redis+socket://{chemins.socket_file(DONNEES)}"
)
CELERY_TASK_IGNORE_RESULT = True
CELERY_RESULT_BACKEND = None
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_SERIALIZER = CELERY_RESULT_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "django_celery_beat.schedulers:DatabaseScheduler"
# Chaque envoi est noté en base aussitôt : d'origine toutes les trois minutes, quand la santé s'inquiète après 90 s.
CELERY_BEAT_SYNC_EVERY = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 120,
    "unacked_restore_interval": 10,
    "socket_connect_timeout": 1,
    "socket_timeout": 5,
}
CELERY_TASK_TIME_LIMIT = 100

# --- Comptes du Poste
AUTH_USER_MODEL = "horizon.Utilisateur"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["nom"]},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PASSWORD_RESET_TIMEOUT = int(timedelta(days=2).total_seconds())
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "tableau"
ACCOUNT_ADAPTER = "horizon.web.comptes.AdaptateurComptes"
SOCIALACCOUNT_ADAPTER = "horizon.web.comptes.AdaptateurOAuth"
ACCOUNT_USER_MODEL_USERNAME_FIELD = "nom"
ACCOUNT_USER_MODEL_EMAIL_FIELD = None
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
ACCOUNT_RATE_LIMITS = {"login": "30/m/ip", "login_failed": "10/m/ip,5/5m/key", "reauthenticate": "10/m/user"}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Poste de commande"
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_PROVIDERS = {
    nom: {
        "APPS": [
            {"client_id": env.str(f"{nom.upper()}_CLIENT_ID"), "secret": env.str(f"{nom.upper()}_CLIENT_SECRET", "")}
        ]
    }
    for nom in ("twitch", "discord")
    if env.str(f"{nom.upper()}_CLIENT_ID", "")
}
SESSION_COOKIE_AGE = int(timedelta(hours=12).total_seconds())
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_USE_SESSIONS = False
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "horizon.web.erreurs.csrf"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

# --- En-têtes (SR-06)
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds())
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if not LOCAL else None
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not LOCAL
# Sans TLS, ces trois contrôles n'ont pas d'objet : en local le Poste ne répond qu'à la boucle locale.
# L'unicité du nom de connexion tient à un index sur Lower(nom), que ce contrôle ne voit pas.
SILENCED_SYSTEM_CHECKS = ["auth.W004", *(["security.W008", "security.W012", "security.W016"] if LOCAL else [])]

# --- API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["horizon.api.authentification.CleDeBot"],
    "DEFAULT_PERMISSION_CLASSES": ["horizon.api.authentification.Portee"],
    "DEFAULT_THROTTLE_CLASSES": ["horizon.api.debit.ParCle", "horizon.api.debit.ParAdresse"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "horizon.api.corps.ToujoursJSON",
    "DEFAULT_PARSER_CLASSES": ["horizon.api.corps.CorpsBrut"],
    "DEFAULT_RENDERER_CLASSES": ["horizon.api.corps.RenduJSON"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "horizon.api.erreurs.traduire",
    "UNAUTHENTICATED_USER": None,
    "NUM_PROXIES": 0 if LOCAL else 1,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Poste de commande — API des bots",
    "DESCRIPTION": "Ce que les bots de La Tanière envoient et reçoivent.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": True,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": ["horizon.api.schema.composants"],
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024

# --- Langue et heure
LANGUAGE_CODE = "fr"
LANGUAGES = [("fr", "Français")]
TIME_ZONE = "Europe/Paris"
USE_TZ = True
USE_I18N = True
USE_THOUSAND_SEPARATOR = True

# --- Fichiers statiques, servis depuis leurs dossiers d'origine
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False

# --- Journaux : liste blanche de clés, jamais un message libre (SR-12)
LOGGING_CONFIG = "horizon.journaux.configurer"
LOGGING = {"version": 1}  # vide, Django n'appellerait pas LOGGING_CONFIG
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"

# --- Webhook EventSub : sans secret, aucune signature n'est recevable
TWITCH_EVENTSUB_SECRET = env.str("TWITCH_EVENTSUB_SECRET", "")

# --- LLM (le moteur de règles embarqué sert par défaut)
LLM_URL = env.str("LLM_URL", "")
LLM_CLE = env.str("LLM_CLE", "")
LLM_MODELE = env.str("LLM_MODELE", "")
