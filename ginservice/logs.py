"""One line a request and one a bot's turn, as JSON or for a terminal, on standard output."""

import logging
from typing import Any

import structlog
from django.core.exceptions import ImproperlyConfigured
from structlog.typing import EventDict, Processor

# A request says all in its last line; a task says in a line of its own what it did. That all is
# well is asked every few seconds, and answered without a line.
QUIET = {
    "request_started",
    "streaming_started",
    "streaming_finished",
    "task_enqueued",
    "task_started",
    "task_succeeded",
}
COMMON: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
]
FORMS = ("json", "console")
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
SILENT = {"handlers": ["nowhere"], "propagate": False}


def configure(form: str, level: str) -> dict[str, Any]:
    """Sets structlog up and returns Django's LOGGING. `form` is json or console.

    Raises ImproperlyConfigured for another form or an unknown level.
    """
    if form not in FORMS:
        raise ImproperlyConfigured(f"LOG_FORMAT is {form!r}; it can be {' or '.join(FORMS)}")
    if level not in LEVELS:
        raise ImproperlyConfigured(f"LOG_LEVEL is {level!r}; it can be {', '.join(LEVELS)}")
    structlog.configure(
        processors=[drop_quiet, *COMMON, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level)),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": COMMON,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *last_steps(form),
                ],
            }
        },
        "handlers": {
            "out": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "stream": "ext://sys.stdout",
            },
            "nowhere": {"class": "logging.NullHandler"},
        },
        "root": {"handlers": ["out"], "level": level},
        "loggers": {
            # These would tell a second time what the line of the request or task tells.
            "django.request": SILENT,
            "django.security": SILENT,
            "celery.app.trace": SILENT,
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
            # Of a wrong password the line of the request tells enough.
            "axes": {"level": "ERROR"},
        },
    }


def last_steps(form: str) -> list[Processor]:
    if form == "console":
        return [structlog.dev.ConsoleRenderer(sort_keys=False)]
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]


def drop_quiet(logger: object, method: str, event: EventDict) -> EventDict:
    well = event.get("path") in ("/healthz", "/readyz", "/metrics") and event.get("status") == 200
    if well or event["event"] in QUIET:
        raise structlog.DropEvent
    return event
