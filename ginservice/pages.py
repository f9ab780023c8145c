"""The client's shell, with the start page in it; the docs; and the pages about problems."""

import json
import re

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from games.engine import GAMES
from ginservice import __version__, documents
from ginservice.problems import PROBLEMS
from ginservice.schema import USUAL

CLIENT = settings.BASE_DIR / "client"
GAME_PAGES = " ".join(sorted(page.stem for page in (CLIENT / "games").glob("*.js")))
# What is imported first, told at once so that no file waits for another.
ALWAYS = "vendor/preact.mjs vendor/hooks.mjs vendor/htm.mjs html.js api.js router.js settings.js"
ALWAYS += " who.js games.js cards.js words.js"
OF_PAGE = {
    "start": "pages/start.js pages/lists.js",
    "matches": "pages/match.js store.js stream.js table.js clock.js motion.js sheet.js sounds.js",
}
FIRST = {
    page: [f"client/{name}" for name in f"{ALWAYS} {OF_PAGE.get(page, '')}".split()]
    for page in (*OF_PAGE, "")
}


def around(_: HttpRequest) -> dict[str, str]:
    """What the foot of every page tells: a context processor."""
    return {"service_version": __version__}


def start(request: HttpRequest) -> HttpResponse:
    games = [(name, rules) for name, rules in GAMES.items()]
    return shell(request, "start.html", page="start", games=games)


def client(request: HttpRequest, title: str, page: str, **_: object) -> HttpResponse:
    """Any other page of the client: which match or board it is about, the client reads itself."""
    return shell(request, "shell.html", page=page, title=title)


def shell(request: HttpRequest, template: str, page: str, **more: object) -> HttpResponse:
    here = f"{request.scheme}://{request.get_host()}"
    told = {
        **more,
        "page": page,
        "here": here,
        "usual": here in ("http://127.0.0.1:8000", "http://localhost:8000"),
        "game_pages": GAME_PAGES,
        "first": FIRST.get(page, FIRST[""]),
        "player": player(request),
    }
    response = render(request, template, told)
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie"])
    return response


def player(request: HttpRequest) -> str | None:
    """Who is signed in, for the client: it cannot look into the session's cookie."""
    user = request.user
    if not user.is_authenticated:
        return None
    return json.dumps({"name": user.name, "guest": user.is_guest})


def document(request: HttpRequest, name: str = "README.md") -> HttpResponse:
    """A page of docs/, or a script as it is."""
    if name in documents.files():
        text = (documents.FOLDER / name).read_text(encoding="utf-8")
        return HttpResponse(text, content_type="text/plain; charset=utf-8")
    if f"{name}.md" in documents.names():
        return redirect("document", f"{name}.md")
    if name not in documents.names():
        raise Http404
    read = documents.read(name)
    html = read.html.replace(USUAL, request.build_absolute_uri("/")[:-1])
    return render(request, "document.html", {"document": read, "html": html})


def reference(request: HttpRequest) -> HttpResponse:
    """What the API has, from its OpenAPI document."""
    return render(request, "reference.html")


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
