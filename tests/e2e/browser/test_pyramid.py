"""Pyramid on the page, in a real Chromium: by mouse, by keys, with help, and to a posted score."""

import pytest

from games.engine import pyramid
from games.engine.pyramid import Options
from tests.e2e.browser.conftest import PHONE
from tests.e2e.browser.scripted import Scripted
from tests.e2e.browser.test_pages import serious
from tests.engine.pyramid_decks import amid

CALL = """async ([method, path, body]) => {
  const token = /csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? "";
  const headers = {"Content-Type": "application/json", "X-CSRFToken": token};
  const answer = await fetch("/api/v1" + path, {method, headers, body: JSON.stringify(body)});
  return await answer.json();
}"""
# Deal 5, from the apex: 6D | KS 8S | JS 4S QC | QS 7H 9D QH | 2H 6S 9S 3H TC | AC JD 2C 6C TD AD |
# 9C KD 3C 5D AH 7C 3S, and 4H on top of the draw pile.
DEAL = {"practice": True, "deal_number": 5}


def post(page, path, body=None):
    return page.evaluate(CALL, ["POST", path, body or {}])


def sit_down(visit, **options):
    """The page of a guest at a table of the deal that stands above."""
    page = visit(**options)
    post(page, "/players/guest", {"cookie": True})
    match = post(page, "/matches", {"game": "pyramid", "seats": ["me"], "options": DEAL})
    page.goto(f"/matches/{match['id']}")
    page.get_by_role("group", name="Pyramid").wait_for()
    return page


def card(page, name):
    return page.get_by_role("button", name=name, exact=True)


def pick(page, *names):
    for name in names:
        card(page, name).click()


def menu(page):
    """What opens the table's menu, and something in it."""
    return page.get_by_label("Menu"), page.get_by_role("link", name="The rules")


def test_a_king_goes_at_once_and_a_second_card_that_fits_takes_both_away(visit):
    page = sit_down(visit)

    pick(page, "king of diamonds")
    page.get_by_text("You remove K♦").first.wait_for()
    pick(page, "9 of clubs", "3 of clubs")
    page.get_by_text("9♣ and 3♣ make 12, not 13. 3♣ needs a 10.").wait_for()
    assert card(page, "3 of clubs").get_attribute("aria-pressed") == "true"
    pick(page, "9 of clubs", "4 of hearts")

    page.get_by_text("You remove 9♣ and 4♥").first.wait_for()
    assert card(page, "4 of hearts").count() == 0
    page.get_by_text("Removed 3").wait_for()
    page.get_by_text("30 points", exact=True).wait_for()


def test_a_covered_card_cannot_be_chosen_and_says_what_lies_on_it(visit):
    page = sit_down(visit)

    jack = card(page, "jack of diamonds, covered by king of diamonds and 3 of clubs")
    assert jack.get_attribute("aria-disabled") == "true"
    jack.dispatch_event("click")

    page.get_by_text("J♦ is covered by K♦ and 3♣.").wait_for()
    assert jack.get_attribute("aria-pressed") == "false"


def test_the_draw_card_clicked_again_moves_to_the_waste(visit):
    page = sit_down(visit, viewport=PHONE)
    pile = page.locator(".draws").bounding_box()

    pick(page, "4 of hearts", "4 of hearts")

    waste = page.get_by_role("group", name="Waste, 1 cards")
    waste.get_by_role("button", name="4 of hearts").wait_for()
    page.get_by_role("group", name="Draw pile, 23 cards").wait_for()
    page.locator(".draws .lies").dblclick()
    page.get_by_role("group", name="Waste, 2 cards").wait_for()
    assert page.locator(".draws").bounding_box() == pile  # it lies where it lay, for the next click
    page.get_by_text("See all cards").click()
    page.get_by_text("Waste, top first").wait_for()
    page.locator(".said").dispatch_event("pointerdown")
    page.get_by_text("Waste, top first").wait_for(state="detached")


def test_cards_are_dragged_onto_each_other_and_what_does_not_fit_says_why(visit):
    page = sit_down(visit, viewport=PHONE)
    nine = card(page, "9 of clubs")

    nine.drag_to(card(page, "3 of clubs"))
    page.get_by_text("9♣ and 3♣ make 12, not 13.").wait_for()
    nine.drag_to(card(page, "4 of hearts"))
    page.get_by_text("20 points", exact=True).wait_for()
    card(page, "king of diamonds").drag_to(page.locator(".waste"))
    page.get_by_text("30 points", exact=True).wait_for()
    page.locator(".draws .lies").drag_to(page.locator(".waste"))
    page.get_by_role("group", name="Waste, 1 cards").wait_for()
    page.locator(".draws .lies").drag_to(page.locator(".waste .lies"))
    page.get_by_role("group", name="Waste, 2 cards").wait_for()


def test_a_guest_is_told_before_the_first_move_that_the_score_cannot_be_posted(visit):
    page = visit()
    page.get_by_role("region", name="Pyramid").get_by_role("button", name="Play now").click()
    told = page.get_by_text("A guest’s score cannot go on the board.")
    told.wait_for()

    page.keyboard.press("d")
    page.get_by_role("group", name="Waste, 1 cards").wait_for()
    assert not told.count()
    post(page, "/me/account", {"name": "eve-plays-pyramid", "password": "a long one"})
    page.goto("/")
    page.get_by_role("region", name="Pyramid").get_by_role("button", name="Play now").click()
    page.get_by_role("group", name="Waste, 0 cards").wait_for()
    assert not told.count()


def test_practice_takes_moves_back_gives_hints_and_the_same_deal_again(visit):
    page = sit_down(visit)
    undo = page.get_by_role("button", name="Undo")
    assert undo.is_disabled()
    pick(page, "king of diamonds", "9 of clubs", "4 of hearts")
    page.get_by_text("30 points", exact=True).wait_for()

    undo.click()
    page.get_by_text("10 points", exact=True).wait_for()
    card(page, "9 of clubs").wait_for()
    page.get_by_role("button", name="Hint").click()
    page.get_by_text("Hint: ").wait_for()
    page.get_by_role("button", name="Can it still be cleared?").click()
    page.get_by_text("cleared, in").or_(page.get_by_text("cannot be cleared")).wait_for()
    before = page.url
    page.get_by_text("Deals …").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="This deal again").wait_for(state="hidden")
    again = page.get_by_role("button", name="This deal again")
    for opens, shown in ((page.get_by_text("Deals …"), again), menu(page)):
        opens.click()
        shown.wait_for()
        page.locator(".said").dispatch_event("pointerdown")
        shown.wait_for(state="hidden")
    page.get_by_text("Deals …").click()
    again.click()

    page.wait_for_url(lambda url: url != before)
    page.get_by_text("0 points", exact=True).wait_for()
    card(page, "king of diamonds").wait_for()
    page.get_by_text("№ 5").wait_for()


def test_it_is_played_by_keys_alone(visit):
    page = sit_down(visit)

    card(page, "9 of clubs").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_text("10 points", exact=True).wait_for()
    assert page.evaluate("document.activeElement.matches('.lies')")  # the focus did not get lost
    card(page, "9 of clubs").focus()
    page.keyboard.press("Enter")
    card(page, "4 of hearts").focus()
    page.keyboard.press("Space")
    page.get_by_text("30 points", exact=True).wait_for()
    for key, count in (("d", 1), ("s", 2)):  # s draws in every game
        page.keyboard.press(key)
        page.get_by_role("group", name=f"Waste, {count} cards").wait_for()
    page.locator(".said").click()
    assert not page.evaluate("document.activeElement.matches('.lies')")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.matches('.lies')")


@pytest.fixture
def table(visit):
    """table(state) -> the page's table of a scripted match."""

    def sit_down(state, **options):
        scripted = Scripted(visit(**options), pyramid, state)
        scripted.show()
        return scripted

    return sit_down


def test_what_shows_at_once_is_what_the_rules_then_say(table):
    state = amid(places="6D 7C", draw="KS 5H 8C", waste="2C")
    scripted = table(state)
    page = scripted.page

    pick(page, "king of spades", "2 of clubs", "5 of hearts")
    page.get_by_text("2♣ and 5♥ make 7, not 13. 5♥ needs an 8.").wait_for()
    pick(page, "5 of hearts", "8 of clubs", "5 of hearts")
    page.get_by_role("group", name="Draw pile, 0 cards").wait_for()
    page.get_by_role("button", name="Turn the waste over, 2 left").click()
    page.get_by_role("group", name="Draw pile, 1 cards").wait_for()
    pick(page, "7 of clubs")
    assert [action["type"] for action in scripted.actions] == ["remove", "draw", "remove", "redeal"]
    assert not scripted.misguessed


def test_the_last_pair_clears_the_pyramid_and_the_next_round_is_offered(table):
    scripted = table(amid(places="6D", draw="7C"))
    page = scripted.page

    pick(page, "6 of diamonds", "7 of clubs")

    page.get_by_text("Cleared!").wait_for()
    page.get_by_role("button", name="Next round").wait_for()
    assert not scripted.misguessed


def test_where_one_move_is_left_there_is_a_button_for_it(table):
    scripted = table(amid(places="6D", waste="KS", redeals=2))

    scripted.page.get_by_role("button", name="Remove K♠").click()

    assert scripted.actions == [{"type": "remove", "cards": ["KS"]}]


def test_more_points_do_not_move_the_board(table):
    state = amid(places="6D", draw="KS KC", deal=2, points=90)
    page = table(state, viewport={"width": 270, "height": 740}).page
    before = page.locator(".heap").bounding_box()

    pick(page, "king of spades")

    page.locator(".points dd").get_by_text("100").wait_for()
    assert page.locator(".heap").bounding_box() == before


def test_with_the_option_overlap_a_card_goes_with_the_last_one_that_covers_it(table):
    scripted = table(amid(Options(overlap=True), places="6D 7C", draw="KS"))

    pick(scripted.page, "6 of diamonds", "7 of clubs")

    scripted.page.get_by_text("Cleared!").wait_for()


def test_all_of_it_is_in_view_on_a_phone_on_its_side(visit):
    page = sit_down(visit, viewport={"width": 844, "height": 390})
    assert page.evaluate("document.documentElement.scrollHeight") <= 390
    seat, top = (page.locator(at).first.bounding_box() for at in (".seat", ".heap .lies"))
    assert seat["x"] + seat["width"] < top["x"]
    pick(page, "king of diamonds")
    page.get_by_label("Menu").click()
    page.get_by_role("button", name="Resign …").click()  # the last of the menu
    page.get_by_role("button", name="Yes, resign this match").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_at_a_pyramid_and_it_fits_a_phone(visit, scheme):
    page = sit_down(visit, color_scheme=scheme, viewport=PHONE)
    pick(page, "3 of spades")

    assert not serious(page)
    page.get_by_text("Deals …").click()
    assert not serious(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_whoever_has_an_account_plays_to_the_end_and_posts_the_score(visit):
    page = visit()
    post(page, "/players", {"name": "ann-plays-pyramid", "password": "a long one", "cookie": True})
    page.goto("/")
    page.get_by_role("region", name="Pyramid").get_by_role("button", name="Play now").click()
    page.get_by_role("group", name="Pyramid").wait_for()

    hurry(page)
    page.reload()
    page.locator(".pyramid").wait_for()
    while not page.locator("dialog .final").count():
        by_mouse(page)

    dialog = page.get_by_role("dialog")
    dialog.get_by_role("heading", name="Nothing is left to do").wait_for()
    dialog.get_by_role("button", name="Post the score").click()
    dialog.get_by_text("rank").first.wait_for()
    row = dialog.get_by_role("row", name="ann-plays-pyramid")
    assert row.inner_text().split()[-1] in dialog.locator(".final").inner_text()
    dialog.get_by_role("button", name="Look at the table").click()
    page.get_by_text("Posted:").wait_for()
    page.reload()
    page.get_by_role("dialog").get_by_text("Posted:").wait_for()
    assert not page.get_by_role("button", name="Post the score").count()


def hurry(page):
    """Play as the buttons would, until the last pass of a round; one match in forty ends before."""
    path = page.url.split("/matches/")[1]
    match = page.evaluate(f"fetch('/api/v1/matches/{path}').then((answer) => answer.json())")
    while True:
        view = match["view"]
        if not view["legal"] or (not view["redeals_left"] and view["phase"] == "pyramid"):
            return
        legal = sorted(view["legal"], key=lambda action: action["type"] != "remove")
        move = {"version": match["version"], "action": legal[0]}
        match = post(page, f"/matches/{path}/moves", move)


def by_mouse(page):
    """One move: a removal if there is one; else a draw, a redeal or the next round."""
    page.locator(".pyramid[aria-busy=false]").wait_for(state="attached")  # hidden between rounds
    for button in ("Go on", "Next round"):
        if page.get_by_role("button", name=button).count():
            page.get_by_role("button", name=button).click()
            return
    cards = page.locator(".lies:not(.closed)")
    found = removal(cards.evaluate_all("cards => cards.map(card => card.dataset.card)"))
    for each in found:
        page.locator(f'.lies[data-card="{each}"]').click()
    if not found and page.locator(".slot:not([aria-disabled])").count():
        page.locator(".slot").click()
    elif not found and page.locator(".draws .lies").count():
        page.locator(".draws .lies").dblclick()


def removal(cards):
    def value(card):
        return "A23456789TJQK".index(card[0]) + 1

    alone = [[card] for card in cards if value(card) == 13]
    both = [[a, b] for a in cards for b in cards if value(a) + value(b) == 13]
    return next(iter(alone + both), [])
