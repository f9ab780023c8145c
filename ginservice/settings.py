"""All settings, read from the environment. docs/settings.md lists every variable."""

import logging
from datetime import timedelta
from pathlib import Path

from celery.schedules import crontab
from csp.constants import NONCE, NONE, SELF, UNSAFE_INLINE

from ginservice import logs, sidebar
from ginservice.embedded import addresses
from ginservice.environment import env

BASE_DIR = Path(__file__).resolve().parent.parent

DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / ".data"))).resolve()
DEBUG = env.switch("DEBUG", default=False)
SECRET_KEY = env.secret("SECRET_KEY", default="", least=50) or addresses.secret_key(DATA_DIR)
# What it was before: still opens what it has signed, and signs nothing more.
SECRET_KEY_FALLBACKS = env.secrets("SECRET_KEY_FALLBACKS", least=50)
ALLOWED_HOSTS = env.hosts("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.origins("CSRF_TRUSTED_ORIGINS", default=[])
# How many proxies stand before the web: the last so many of X-Forwarded-For are theirs.
TRUSTED_PROXIES = env.whole("TRUSTED_PROXIES", default=0)

INSTALLED_APPS = [
    "ginservice",
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_structlog",
    "axes",
    "corsheaders",
    "players",
    "games",
]
MIDDLEWARE = [
    "ginservice.middleware.RequestIdMiddleware",
    "ginservice.middleware.MetricsMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "ginservice.middleware.AdminPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "ginservice.middleware.LogMiddleware",
    "ginservice.middleware.ApiMiddleware",
    "ginservice.throttles.AddressThrottleMiddleware",
    "ginservice.middleware.SessionCookieMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "ginservice.urls"
WSGI_APPLICATION = "ginservice.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "ginservice" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "ginservice.pages.around",
            ]
        },
    }
]

# Unset, both are those of `make run` on DATA_DIR.
DATABASE_URL = env.url("DATABASE_URL", "", "postgresql", "postgres") or addresses.postgres_url(
    DATA_DIR
)
REDIS_URL = env.url("REDIS_URL", "", "redis", "rediss", "unix") or addresses.valkey_url(DATA_DIR)
NEEDED = ("SECRET_KEY", "DATABASE_URL", "REDIS_URL")
# What wsgi.py and celery.py refuse to start without; `make run` keeps all three in its DATA_DIR.
MISSING = [name for name in NEEDED if not env.str(name, default="")]
MISSING = [] if addresses.known(DATA_DIR) else MISSING
DATABASES = {"default": env.db_url_config(DATABASE_URL)}
# Of any characters, where in an address some would have to be written otherwise.
if DATABASE_PASSWORD := env.str("DATABASE_PASSWORD", default=""):
    DATABASES["default"]["PASSWORD"] = DATABASE_PASSWORD
DATABASES["default"]["CONN_MAX_AGE"] = None
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# A bot's turn that nobody has played for so long: the service is not well.
STUCK_TURN_SECONDS = env.whole("STUCK_TURN_SECONDS", default=300, least=1)
# A bot's turn: cut off after this long (its stand-in plays), or queued again if nobody took it up.
BOT_TURN_SECONDS = env.whole("BOT_TURN_SECONDS", default=5, least=1, most=20)
# A turn that is to be thought about: after having waited for so long its bot's stand-in plays.
BOT_WAIT_SECONDS = env.whole("BOT_WAIT_SECONDS", default=3, least=1)
# Held streams and long polls of events, in each process that holds any; 0: no limit.
STREAMS = env.whole("STREAMS", default=2000)
STREAMS_OF_A_PLAYER = env.whole("STREAMS_OF_A_PLAYER", default=100)
STREAMS_OF_AN_ADDRESS = env.whole("STREAMS_OF_AN_ADDRESS", default=1000)
# Of one player's making that are not over; 0: no limit.
MATCHES_OF_A_PLAYER = env.whole("MATCHES_OF_A_PLAYER", default=100)
OPEN_TABLE_HOURS = env.whole("OPEN_TABLE_HOURS", default=24, least=1)
# For development: webhooks may be told by plain HTTP, and at private addresses.
WEBHOOKS_ANYWHERE = env.switch("WEBHOOKS_ANYWHERE", default=False)
CLAIM_DAYS = env.whole("CLAIM_DAYS", default=14, least=1)
ABANDONED_DAYS = env.whole("ABANDONED_DAYS", default=14, least=1)

# So long the analysis of a match is kept; asked for again it is made again.
ANALYSIS_DAYS = env.whole("ANALYSIS_DAYS", default=90, least=1)

CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = {
    "games.tasks.play_bot_turn": {"queue": "bots"},  # or `thinkers`: games/wake.py says
    "games.tasks.analyse": {"queue": "analysis"},
    "players.tasks.deliver": {"queue": "webhooks"},  # waits for strangers: no turn behind it
}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
# A turn is acknowledged when it was played, and no process hoards turns another could play.
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CONCURRENCY = env.whole("WORKER_PROCESSES", default=2)
CELERY_TASK_SOFT_TIME_LIMIT = 20
CELERY_TASK_TIME_LIMIT = 30
CELERY_TASK_ANNOTATIONS = {
    "games.tasks.play_bot_turn": {"soft_time_limit": BOT_TURN_SECONDS},
    # A second or two of a processor to which all others have more claim.
    "games.tasks.analyse": {"soft_time_limit": 120, "time_limit": 150},
}
# A move is stored before its message is sent: its answer does not wait for a broker that is gone.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_TIMEOUT = 0.5
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_connect_timeout": 0.5,
    "socket_timeout": 0.5,
    "health_check_interval": 10,
    "max_retries": 0,
}
# A worker waits for a lost broker for as long as it takes.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # in memory: no file to lose or to lock
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "games.tasks.sweep", "schedule": 2.0, "options": {"expires": 2}},
    "queue_due": {
        "task": "players.tasks.queue_due",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "count_on": {
        "task": "games.tasks.count_on",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    # By the clock: an interval would begin anew with each beat.
    "forget": {"task": "players.tasks.forget", "schedule": crontab(minute="17")},
}
CELERY_RESULT_EXPIRES = None  # no results, nothing to clean up at night

AUTH_USER_MODEL = "players.Player"
# Names are unique by a constraint that ignores capitals; the check knows only unique=True.
SILENCED_SYSTEM_CHECKS = ["auth.E003", "auth.W004"]
# Of HTTPS: other hosts of the domain are not ours to decide on, and who ends TLS redirects to it.
SILENCED_SYSTEM_CHECKS += ["security.W005", "security.W008", "security.W021"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
LOGIN_REDIRECT_URL = "/admin/"  # the admin is the only page that asks for a password itself
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
] + [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["name"]},
    }
]
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
# Ten wrong passwords for a name from an address: a quarter of an hour without any more of them.
# From other addresses the player may still come in.
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_FORM_FIELD = "username"
AXES_USERNAME_CALLABLE = "ginservice.guard.name_tried"
AXES_CLIENT_IP_CALLABLE = "ginservice.throttles.address"
AXES_LOCKOUT_CALLABLE = "ginservice.guard.locked_out"
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
CSRF_FAILURE_VIEW = "ginservice.errors.csrf_failure"
SESSION_COOKIE_NAME = "sessionid"
SESSION_COOKIE_HTTPONLY = True
# Behind TLS: cookies never travel without it.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.switch("SECURE_COOKIES", default=False)
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
# What a proxy says of TLS is believed where its word for addresses is.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SECURE_HSTS_SECONDS = 31_536_000 if SESSION_COOKIE_SECURE else 0
X_FRAME_OPTIONS = "DENY"

# Pages run the scripts of this server and no others. (Styles stand in the pages themselves.)
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, UNSAFE_INLINE],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
# Pages of other sites may call the API, with tokens and never with cookies, if named here.
CORS_ALLOWED_ORIGINS = env.origins("CORS_ORIGINS", default=[])
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_HEADERS = [
    *("authorization", "content-type", "idempotency-key", "if-match", "if-none-match"),
    *("last-event-id", "x-request-id"),
]
CORS_EXPOSE_HEADERS = [
    *("ETag", "Idempotent-Replayed", "Location", "RateLimit", "RateLimit-Policy", "Retry-After"),
    "X-Request-ID",
]

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
FORMAT_MODULE_PATH = "ginservice.formats"
STATIC_URL = "static/"
STATICFILES_DIRS = [("client", BASE_DIR / "client")]
WHITENOISE_USE_FINDERS = True  # served from where the packages keep them: nothing to collect

UNFOLD = sidebar.UNFOLD

DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000

# Requests a minute, each kind counted apart. THROTTLES multiplies them; 0 lets all through.
THROTTLES = env.fraction("THROTTLES", default=1)
THROTTLE_RATES = {
    "address": {
        "reads": 6000,
        "writes": 600,
        "moves": 6000,
        "doors": 30,
        "analyses": 60,
        "hints": 120,
    },
    "anonymous": {"reads": 600, "writes": 60, "moves": 60},
    "token": {"reads": 1200, "writes": 120, "moves": 600, "analyses": 10, "hints": 30},
    "wide": 5,  # times as much for tokens with the scope bot or admin
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "players.authentication.BearerAuthentication",
        "players.authentication.BrowserSessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["players.permissions.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["ginservice.throttles.TokenThrottle"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["players.parsers.JSONParser"],
    "DEFAULT_PAGINATION_CLASS": "players.pagination.Pages",
    "DEFAULT_SCHEMA_CLASS": "ginservice.schema.Schema",
    "EXCEPTION_HANDLER": "ginservice.errors.exception_handler",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "ginservice",
    "VERSION": "1",
    "DESCRIPTION": (BASE_DIR / "ginservice" / "api.md").read_text(),
    "OAS_VERSION": "3.1.0",
    "SERVERS": [{"url": "/", "description": "this server"}],
    "TAGS": [
        {"name": "players", "description": "Come in: as a guest, or with a name."},
        {"name": "sessions", "description": "Sign in and out."},
        {"name": "me", "description": "Who you are, and your tokens."},
        {"name": "games", "description": "The kinds of games, their options and bots."},
        {"name": "matches", "description": "Find a table, play, look back."},
        {"name": "leaderboards", "description": "Who has done best: today, this week, ever."},
    ],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "games.schemas.add_games",
        "ginservice.samples.add_samples",
        "ginservice.schema.add_problems",
    ],
}

# Whom `prepare` makes, if he is not there: a player who may enter the admin.
OPERATOR_NAME = env.str("OPERATOR_NAME", default="operator")
OPERATOR_PASSWORD = env.str("OPERATOR_PASSWORD", default="")
# Who may read /metrics from elsewhere; empty: only this machine may.
METRICS_TOKEN = env.secret("METRICS_TOKEN", default="", least=16)

LOG_FORMAT = env.str("LOG_FORMAT", default="json")
LOG_LEVEL = env.str("LOG_LEVEL", default="INFO").upper()
LOGGING = logs.configure(LOG_FORMAT, LOG_LEVEL)
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = True  # RequestIdMiddleware has cleaned it
DJANGO_STRUCTLOG_USER_ID_FIELD = ""  # authentication binds the player, at no statement
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = logging.INFO
DJANGO_STRUCTLOG_CELERY_ENABLED = True  # a task carries the request id of who queued it
