"""The two statements that are asked most are made once: to make one takes the ORM a millisecond,
longer than Postgres takes to answer it."""

from typing import Any

from django.db.models import QuerySet


def made(queryset: QuerySet[Any]) -> str:
    """The SQL of a queryset in which one value stands; it is given anew each time."""
    sql, values = queryset.query.sql_with_params()
    if len(values) != 1:
        raise ValueError(f"one value is to be given, not {len(values)}: {sql}")
    return str(sql)
