#!/usr/bin/env python
"""Django's command line. A command that finds no database or broker ends with a sentence."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ginservice.settings")
    try:
        import psycopg
        import redis
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
        from django.db import OperationalError
    except ImportError as error:
        sys.exit(f"{error}: use .venv/bin/python, which `make run` or `make test` makes.")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Cannot run: {error}")
    except (OperationalError, redis.ConnectionError) as error:
        cause = error.__cause__
        if isinstance(cause, psycopg.Error) and cause.sqlstate:
            raise  # the database answered: this is about something else
        sys.exit(
            f"{error}\nThe database or the broker does not answer. Start `make run` first"
            " (with the same DATA_DIR), or set DATABASE_URL and REDIS_URL."
        )


if __name__ == "__main__":
    main()
