"""Pyramid on the page, in a real Chromium: by mouse, by keys, with help, and to a posted score."""

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
    """The page of a guest at a table of these options."""
    page = visit()
    post(page, "/players/guest", {"cookie": True})
    match = post(page, "/matches", {"game": "pyramid", "seats": ["me"], "options": options})
    page.goto(f"/matches/{match['id']}")
    page.get_by_role("group", name="Pyramid").wait_for()
    return page


def card(page, name):
    return page.get_by_role("button", name=name, exact=True)


def pick(page, *names):
    for name in names:
        card(page, name).click()


def test_a_king_goes_at_once_and_a_second_card_that_fits_takes_both_away(visit):
    page = sit_down(visit, **DEAL)

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
    page = sit_down(visit, **DEAL)

    jack = card(page, "jack of diamonds, covered by king of diamonds and 3 of clubs")
    assert jack.get_attribute("aria-disabled") == "true"
    jack.dispatch_event("click")

    page.get_by_text("J♦ is covered by K♦ and 3♣.").wait_for()
    assert jack.get_attribute("aria-pressed") == "false"


def test_the_draw_card_clicked_again_moves_to_the_waste(visit):
    page = sit_down(visit, **DEAL)

    pick(page, "4 of hearts", "4 of hearts")

    waste = page.get_by_role("group", name="Waste, 1 cards")
    waste.get_by_role("button", name="4 of hearts").wait_for()
    page.get_by_role("group", name="Draw pile, 23 cards").wait_for()


def test_practice_takes_moves_back_gives_hints_and_the_same_deal_again(visit):
    page = sit_down(visit, **DEAL)
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
    page.get_by_role("button", name="This deal again").click()

    page.wait_for_url(lambda url: url != before)
    page.get_by_text("0 points", exact=True).wait_for()
    card(page, "king of diamonds").wait_for()
    page.get_by_text("№ 5").wait_for()


def test_it_is_played_by_keys_alone(visit):
    page = sit_down(visit, **DEAL)

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
    page.keyboard.press("d")
    page.get_by_role("group", name="Waste, 1 cards").wait_for()


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


def hurry(page):
    """Play as the buttons would, until the last pass of a round."""
    path = page.url.split("/matches/")[1]
    match = page.evaluate(f"fetch('/api/v1/matches/{path}').then((answer) => answer.json())")
    while True:
        view = match["view"]
        if not view["redeals_left"] and view["phase"] == "pyramid":
            return
        legal = sorted(view["legal"], key=lambda action: action["type"] != "remove")
        move = {"version": match["version"], "action": legal[0]}
        match = post(page, f"/matches/{path}/moves", move)


def by_mouse(page):
    """One move: a removal if there is one; else a draw, a redeal or the next round."""
    page.locator(".pyramid[aria-busy=false]").wait_for()
    for button in ("Go on", "Next round"):
        if page.get_by_role("button", name=button).count():
            page.get_by_role("button", name=button).click()
            return
    cards = page.locator(".lies:not(.closed)")
    found = removal(cards.evaluate_all("cards => cards.map(card => card.dataset.card)"))
    for each in found:
        page.locator(f".lies[data-card={each}]").click()
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
