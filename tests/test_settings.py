"""A setting that cannot be right, or is missing, stops the start with a sentence that names it."""

import json
import os
import subprocess
import sys

import pytest

from tests.processes import NOT_OURS, ROOT
from tests.test_docs import settings_in_python

RANDOM = "Jx8vQ2m-Kw71pLs0_zTqR4y5nB6cHd9fGaEuIoXeYtWr3VkMbNhC"

BAD = {
    "ANALYSIS_DAYS": ["0", "long"],
    "ABANDONED_DAYS": ["0", "-1", "two"],
    "ALLOWED_HOSTS": ["https://play.example.org", "play.example.org/", "a b"],
    "BOT_TURN_SECONDS": ["0", "21", "5.5", "five"],
    "BOT_WAIT_SECONDS": ["0", "soon"],
    "CLAIM_DAYS": ["0", "many"],
    "CORS_ORIGINS": ["play.example.org", "https://play.example.org/", "ftp://a"],
    "CSRF_TRUSTED_ORIGINS": ["play.example.org", "https://a/b"],
    "DATABASE_URL": ["mysql://a@b/c", "localhost", "postgresql://a@b:port/c"],
    "DEBUG": ["maybe", "2"],
    "LOG_FORMAT": ["xml"],
    "LOG_LEVEL": ["LOUD", "1"],
    "MATCHES_OF_A_PLAYER": ["-1", "many"],
    "METRICS_TOKEN": ["short", "aaaaaaaaaaaaaaaaaaaaaaaaaaa"],
    "OPEN_TABLE_HOURS": ["0", "x"],
    "REDIS_URL": ["http://a", "localhost:6379"],
    "SECRET_KEY_FALLBACKS": ["secret", "s" * 60, f"{'0123456789' * 6},old"],
    "SECRET_KEY": ["secret", "s" * 60, "django-insecure-abcdefg"],
    "SECURE_COOKIES": ["ture", "yes please"],
    "STREAMS": ["-1", "all"],
    "STREAMS_OF_AN_ADDRESS": ["-1"],
    "STREAMS_OF_A_PLAYER": ["-1", "some"],
    "STUCK_TURN_SECONDS": ["0", "5 min"],
    "THROTTLES": ["-1", "half", "nan", "inf"],
    "TRUSTED_PROXIES": ["-1", "one"],
    "WEBHOOKS_ANYWHERE": ["perhaps"],
    "WORKER_PROCESSES": ["-1", "2.5"],
}
ANYTHING = {"DATA_DIR", "DATABASE_PASSWORD", "HOST", "OPERATOR_NAME", "OPERATOR_PASSWORD"}
OF_RUN = {"PORT": ["x", "-1", "70000"], "WEB_PROCESSES": ["0", "many"]}
CASES = [(name, value) for name, values in BAD.items() for value in values]

TRY_ALL = """
import json, os, runpy, sys
from django.core.exceptions import ImproperlyConfigured
told = []
for name, value in json.loads(sys.argv[1]):
    os.environ[name] = value
    try:
        runpy.run_path("ginservice/settings.py")
        told.append("")
    except ImproperlyConfigured as error:
        told.append(str(error))
    del os.environ[name]
print(json.dumps(told))
"""


def environment(tmp_path, **settings):
    """Nothing is set but what is given; there is no `make run` either."""
    names = NOT_OURS | set(BAD) | {f"{name}_FILE" for name in BAD} | {"METRICS_DIR"}
    ours = {name: value for name, value in os.environ.items() if name not in names}
    return ours | {"DATA_DIR": str(tmp_path / "none")} | settings


def run(environment, *command):
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.fixture(scope="module")
def sentences(tmp_path_factory):
    """What the settings say to each case."""
    done = run(environment(tmp_path_factory.mktemp("x")), "-c", TRY_ALL, json.dumps(CASES))
    assert done.returncode == 0, done.stderr
    return dict(zip(CASES, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("case", CASES, ids="=".join)
def test_a_value_that_cannot_be_right_is_refused_by_its_name(case, sentences):
    name, value = case
    assert sentences[case].startswith(f"{name} ")
    secret = name.endswith(("_URL", "_KEY", "_KEY_FALLBACKS", "_TOKEN"))
    assert (value in sentences[case]) != secret  # no sentence shows a password


def test_every_setting_has_its_case():
    there = {name for name, _ in settings_in_python()}
    assert there == {*BAD, *OF_RUN, *ANYTHING, "METRICS_DIR"}


def test_what_is_right_is_taken_and_what_is_empty_is_not_set(tmp_path):
    tell = (
        "import json; from ginservice import settings as s;"
        "print(json.dumps([s.DEBUG, s.TRUSTED_PROXIES, s.THROTTLES, s.ALLOWED_HOSTS,"
        " s.CORS_ALLOWED_ORIGINS, s.SECRET_KEY, s.DATABASES['default']['PASSWORD']]))"
    )
    given = {
        "DEBUG": "Yes",
        "TRUSTED_PROXIES": "2",
        "THROTTLES": "0.5",
        "ALLOWED_HOSTS": "play.example.org, 10.0.0.1",
        "CORS_ORIGINS": "https://a.example,http://localhost:3000",
        "SECRET_KEY": f" {RANDOM}",
        "DATABASE_URL": "postgresql://a@b/c",
        "DATABASE_PASSWORD": "$of/any:characters@",
    }
    assert json.loads(run(environment(tmp_path, **given), "-c", tell).stdout) == [
        *(True, 2, 0.5, ["play.example.org", "10.0.0.1"]),
        *(["https://a.example", "http://localhost:3000"], RANDOM, "$of/any:characters@"),
    ]
    nothing = dict.fromkeys(given, "")
    assert json.loads(run(environment(tmp_path, **nothing), "-c", tell).stdout) == [
        *(False, 0, 1, ["localhost", "127.0.0.1", "[::1]"], [], "", ""),
    ]


# Secrets from files


def test_a_secret_may_stand_in_a_file(tmp_path):
    (tmp_path / "key").write_text(RANDOM + "\n")
    settings = environment(tmp_path, SECRET_KEY_FILE=str(tmp_path / "key"))
    told = run(settings, "-c", "from ginservice import settings; print(settings.SECRET_KEY)")
    assert told.stdout == RANDOM + "\n"


def test_a_file_that_is_not_there_stops_the_start(tmp_path):
    settings = environment(tmp_path, SECRET_KEY_FILE=str(tmp_path / "none"))
    told = run(settings, "manage.py", "check")
    assert told.returncode == 1
    assert told.stderr.startswith("Cannot run: SECRET_KEY_FILE names what cannot be read: ")


# Who refuses

STARTED = {
    "web": "-m granian --interface wsgi ginservice.wsgi:application",
    "streams": "-m granian --interface asgi ginservice.asgi:application",
    "worker": "-m celery -q -A ginservice.celery:app worker",
    "beat": "-m celery -q -A ginservice.celery:app beat --pidfile=",
    "prepare": "manage.py prepare",
    "run": "-m ginservice.run",
}
every_start = pytest.mark.parametrize("command", STARTED.values(), ids=STARTED)


@every_start
def test_nothing_starts_with_a_setting_that_cannot_be_right(tmp_path, command):
    told = run(environment(tmp_path, TRUSTED_PROXIES="one"), *command.split())
    assert told.returncode == 1
    words = told.stdout + told.stderr
    assert "TRUSTED_PROXIES is 'one'; it must be a whole number, 0 or more." in words
    assert "Traceback" not in words


@pytest.mark.parametrize("name", ["web", "streams", "worker", "beat"])
def test_nothing_starts_without_a_secret_or_a_place_to_store_or_queue(tmp_path, name):
    told = run(environment(tmp_path), *STARTED[name].split())
    assert told.returncode == 1
    words = told.stdout + told.stderr
    assert "Cannot start: set SECRET_KEY, DATABASE_URL, REDIS_URL, or use `make run`." in words
    assert "Traceback" not in words


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, vs in OF_RUN.items() for v in vs])
def test_make_run_names_what_it_cannot_use(tmp_path, name, value):
    told = run(environment(tmp_path, **{name: value}), "-m", "ginservice.run")
    assert told.returncode == 1
    assert told.stdout.startswith(f"Cannot run: {name} is {value!r}; it must be a whole number")


def test_a_folder_for_metrics_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").touch()
    settings = environment(tmp_path, METRICS_DIR=str(tmp_path / "file" / "metrics"))
    told = run(settings, "manage.py", "check")
    assert told.returncode == 1
    assert "METRICS_DIR cannot be written" in told.stderr


# Production


def production(tmp_path, **more):
    return environment(
        tmp_path,
        SECRET_KEY=RANDOM,
        DATABASE_URL="postgresql://ginservice@postgres/ginservice",
        REDIS_URL="redis://redis",
        ALLOWED_HOSTS="play.example.org",
        SECURE_COOKIES="true",
        TRUSTED_PROXIES="1",
        **more,
    )


def test_djangos_own_check_of_a_deployment_finds_nothing(tmp_path):
    check = ("manage.py", "check", "--deploy", "--fail-level", "DEBUG")
    told = run(production(tmp_path), *check)
    assert (told.returncode, told.stderr) == (0, "")
    assert run(production(tmp_path, DEBUG="true"), *check).returncode == 1


def test_without_make_run_there_is_no_secret_that_others_know(tmp_path):
    tell = "from ginservice import settings as s; print([s.SECRET_KEY, s.DEBUG, s.METRICS_TOKEN])"
    assert run(environment(tmp_path), "-c", tell).stdout == "['', False, '']\n"
