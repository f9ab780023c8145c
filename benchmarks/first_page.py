"""The first page in a Chromium of its own: what is sent for it, and when one can play.

    python -m benchmarks.first_page

It needs what the browser tests need (requirements-dev.txt, Debian's chromium), starts a service of
its own and opens the page by fresh visitors, whose caches are empty. `usable`: until a button
"Play now" is there; `at the table`: from a click on it until the ten cards of gin are in the hand.
"""

import gzip
import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import sync_playwright

from tests.e2e.conftest import Service

VISITS = 20
NOW = "performance.now()"


def main() -> None:
    where = shutil.which("chromium") or sys.exit("No Chromium: apt install chromium libatomic1")
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder) / "data", {"THROTTLES": "0"})
        try:
            service.start()
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=where, args=["--no-sandbox"])
                visit(browser, service.url)  # the first costs the server its imports
                show([visit(browser, service.url) for _ in range(VISITS)])
        finally:
            service.end()


def visit(browser: Any, url: str) -> dict[str, float]:
    context = browser.new_context(base_url=url)
    page = context.new_page()
    answers: list[Any] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto("/", wait_until="commit")
    page.get_by_role("button", name="Play now").first.wait_for()
    usable = page.evaluate(NOW)
    page.wait_for_load_state("networkidle")
    bodies = [answer.body() for answer in answers]
    clicked = page.evaluate(NOW)
    tile = page.get_by_role("region", name="Gin Rummy", exact=True)
    tile.get_by_role("button", name="Play now").click()
    page.locator(".held").nth(9).wait_for()
    found = {
        "ms until usable": usable,
        "ms until at the table": page.evaluate(NOW) - clicked,
        "files": len(bodies),
        "bytes": sum(map(len, bodies)),
        "bytes by gzip": sum(len(gzip.compress(body)) for body in bodies),
    }
    context.close()
    return found


def show(visits: list[dict[str, float]]) -> None:
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, ", end="")
    print(f"load {os.getloadavg()[0]:.1f}, {len(visits)} visits\n")
    print("| | median | least | most |\n|---|---|---|---|")
    for name in visits[0]:
        values = [each[name] for each in visits]
        print(f"| {name} | {median(values):,.0f} | {min(values):,.0f} | {max(values):,.0f} |")


if __name__ == "__main__":
    main()
