"""The start page, the docs, and the pages about problems: an index, and one for each."""

import re

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from games.bots import LEVELS
from games.engine import GAMES
from ginservice import __version__, documents
from ginservice.problems import PROBLEMS


def start(request: HttpRequest) -> HttpResponse:
    here = f"{request.scheme}://{request.get_host()}"
    page = {
        "start": True,
        "version": __version__,
        "here": here,
        "usual": here in ("http://127.0.0.1:8000", "http://localhost:8000"),
        "games": [(rules, rules.PRESETS, LEVELS[name]) for name, rules in GAMES.items()],
    }
    return render(request, "start.html", page)


def document(request: HttpRequest, name: str = "README.md") -> HttpResponse:
    """A page of docs/, or a script as it is."""
    if name in documents.FILES:
        text = (documents.FOLDER / name).read_text(encoding="utf-8")
        return HttpResponse(text, content_type="text/plain; charset=utf-8")
    if name not in documents.names():
        raise Http404
    return render(request, "document.html", {"document": documents.read(name)})


def problems(request: HttpRequest) -> HttpResponse:
    by_status = sorted(PROBLEMS.items(), key=lambda item: item[1].status)
    return render(request, "problems.html", {"problems": by_status})


def one_problem(request: HttpRequest, code: str) -> HttpResponse:
    if code not in PROBLEMS:
        raise Http404
    page = {"code": code, "problem": PROBLEMS[code], "text": marked(PROBLEMS[code].text)}
    return render(request, "problem.html", page)


def marked(text: str) -> SafeString:
    """What stands between ticks as code."""
    return mark_safe(re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text)))
