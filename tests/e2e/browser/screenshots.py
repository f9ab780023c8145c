"""Every page at the width of a phone and of a desk, in light and dark, as pictures to look at.

    make screenshots        (into screenshots/, or a folder named: make screenshots INTO=/tmp/shots)

Starts a service of its own and plays until a deal of gin has ended.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from ginservice import documents
from tests.e2e.browser.tables import CORNER, held, my_turn, settled, sit_down, worst
from tests.e2e.conftest import Service

SIZES = {"phone": {"width": 360, "height": 740}, "desk": {"width": 1280, "height": 800}}
PAGES = {"start": "/", "play-gin": "/play/gin", "tables": "/tables", "boards": "/boards"}
PAGES |= {"play-pyramid": "/play/pyramid", "me": "/me", "sign-in": "/sign-in"}
MOST_TURNS = 60


def main(into: Path) -> None:
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder) / "data", {"THROTTLES": "0"})
        try:
            service.start()
            with sync_playwright() as playwright:
                look(playwright, service.url, into)
        finally:
            service.end()


def look(playwright: Any, url: str, into: Path) -> None:
    where = shutil.which("chromium") or sys.exit("No Chromium: apt install chromium libatomic1")
    browser = playwright.chromium.launch(executable_path=where, args=["--no-sandbox"])
    for size, viewport in SIZES.items():
        for scheme in ("light", "dark"):
            context = browser.new_context(
                base_url=url, viewport=viewport, color_scheme=scheme, reduced_motion="reduce"
            )
            page = context.new_page()

            def shoot(name: str, page: Any = page, kind: str = f"{size}-{scheme}") -> None:
                page.wait_for_timeout(400)
                page.screenshot(path=into / f"{name}-{kind}.png", full_page=True)

            for name, path in PAGES.items():
                page.goto(path)
                page.locator("#app h1").wait_for()
                shoot(name)
            for name in documents.names():
                page.goto(f"/docs/{name}")
                shoot(f"docs-{Path(name).stem}")
            reference(page, shoot)
            gin(page, shoot)
            replay(page, shoot)
            for title in ("Pyramid", "Basic Rummy"):
                page.goto("/")
                sit_down(page, title)
                page.locator(".controls .button").first.wait_for()
                shoot(title.lower().replace(" ", "-"))
            page.goto("/me")
            page.get_by_role("heading", name="Being played").wait_for()
            shoot("my-matches")
            page.goto("/play/gin?with=people")
            page.get_by_role("button", name="Sit down").click()
            page.get_by_role("heading", name="Waiting for players").wait_for()
            shoot("waiting")
            account(page, shoot, f"ann-{size}-{scheme}")
            context.close()


def reference(page: Any, shoot: Callable[[str], Any]) -> None:
    """The API's page, as it first shows and with a call open."""
    page.goto("/api/docs/")
    call = page.locator("#operations-matches-play .opblock-summary-control")
    call.wait_for()
    shoot("api")
    call.click()
    shoot("api-call")


def account(page: Any, shoot: Callable[[str], Any], name: str) -> None:
    """Somebody with a name, who has played, with a token and a webhook."""
    page.goto("/sign-in")
    form = page.locator("section", has_text="I am new")
    form.get_by_label("Name").fill("me")
    form.get_by_label("Password").fill("a long and quiet password")
    form.get_by_role("button").click()
    form.get_by_role("alert").wait_for()
    shoot("sign-in-refused")
    form.get_by_label("Name").fill(name)
    form.get_by_role("button").click()
    page.get_by_role("heading", name=name).wait_for()
    for _ in range(3):
        match = ask(page, "/matches", {"game": "gin", "seats": ["me", {"bot": "easy"}]})
        ask(page, f"/matches/{match['id']}/resignation", {})
    page.goto(f"/players/{name}")
    page.get_by_role("img").wait_for()
    shoot("player")
    page.goto("/me/tokens")
    page.get_by_label("Name").fill("my bot")
    page.get_by_role("button", name="Make a token").click()
    page.get_by_label("The token my bot").wait_for()
    shoot("tokens")
    hook = ask(page, "/me/webhooks", {"url": "https://bot.example.org/turn"})
    ask(page, f"/me/webhooks/{hook['id']}/test", {})
    page.goto("/me/webhooks")
    page.get_by_text("What was sent to it").click()
    page.get_by_role("cell", name="test").wait_for()
    shoot("webhooks")


def ask(page: Any, path: str, body: Any) -> Any:
    """What the page itself would send to the API."""
    [token] = [each["value"] for each in page.context.cookies() if each["name"] == "csrftoken"]
    headers = {"X-CSRFToken": token}
    return page.request.post(f"/api/v1{path}", data=body, headers=headers).json()


def gin(page: Any, shoot: Callable[[str], Any]) -> None:
    """A deal, with a picture of each kind of moment in it."""
    page.goto("/")
    sit_down(page)
    seen: set[str] = set()
    for _ in range(MOST_TURNS):
        what = my_turn(page)
        if what not in seen:
            shoot("gin-" + what.replace(" ", "-"))
            seen.add(what)
        if what == "over":
            return
        step(page, what, shoot)
        settled(page)


def replay(page: Any, shoot: Callable[[str], Any]) -> None:
    """Of the deal just played, in its middle; the match goes on, so from one's own seat."""
    page.goto(page.url.partition("?")[0] + "/replay?at=9")
    page.locator(".held").first.wait_for()
    shoot("replay")


def step(page: Any, what: str, shoot: Callable[[str], Any]) -> None:
    match what:
        case "draw":
            page.locator(".pile.stock").click()
        case "discard":
            held(page, worst(page)).click(position=CORNER)
            page.locator(".pile.discards").click()
        case "knock":
            page.get_by_role("button", name="Knock …").click()
            shoot("gin-knocking")
            page.locator("dialog.knocking .button.main").click()
        case "lay off":
            page.get_by_role("button", name="Done").click()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots"))
