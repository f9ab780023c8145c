"""How the tests sit down at a table and play gin: by what is on the page and nothing else."""

from typing import Any

from playwright.sync_api import Error

WORST = """async () => {
  const {best} = await import("/static/client/melds.js");
  const held = [...document.querySelectorAll(".held")];
  const all = held.map((each) => each.dataset.card);
  const left = (card) => best(all.filter((each) => each !== card)).deadwood;
  const free = held.filter((each) => !each.classList.contains("barred"));
  return free.map((each) => each.dataset.card).sort((a, b) => left(a) - left(b))[0];
}"""
SOMETHING = """() => document.querySelector("dialog[open]") ||
                      document.querySelector(".mine .controls button")"""
CORNER = {"x": 8, "y": 16}
"""Where a card can be touched that others lie over."""


def sit_down(page: Any, title: str = "Gin Rummy") -> str:
    """Play against a bot from the start page; the match's id. One that knocks at once is left."""
    while True:
        tile = page.get_by_role("region", name=title, exact=True)
        tile.get_by_role("button", name="Play now").click()
        page.wait_for_url("**/matches/*")
        page.locator(".status .todo").wait_for()
        if title == "Pyramid" or my_turn(page) in ("draw", "pass"):
            return str(page.url.rpartition("/")[2])
        page.goto("/")


def held(page: Any, card: str) -> Any:
    return page.locator(f'.held[data-card="{card}"]')


def worst(page: Any) -> str:
    """The card of the hand whose throw leaves least."""
    return str(page.evaluate(WORST))


def my_turn(page: Any) -> str:
    """Waits until there is something to do, and says what: one of the words below."""
    try:
        page.wait_for_function(SOMETHING)
    except Error as error:  # say more than that time has passed
        shown = page.locator(".status").inner_text(), page.locator(".log li").all_inner_texts()
        raise AssertionError(f"nothing to do: {shown}") from error
    if page.locator("dialog.showdown").count():
        return "over"
    names = page.locator(".mine .controls button").all_inner_texts()
    for begins, what in (("Draw", "draw"), ("Knock", "knock"), ("Done", "lay off")):
        if any(name.startswith(begins) for name in names):
            return what
    return "discard" if any(name.startswith("Discard") for name in names) else "pass"


def settled(page: Any) -> None:
    """Waits until the service has answered a move."""
    page.wait_for_function('() => document.querySelector(".status .todo").innerText.trim() !== "…"')
