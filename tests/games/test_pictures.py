"""Scripts of pictures: what they lead to, what they say, how cards are drawn."""

import re
from xml.etree import ElementTree

import msgspec
import pytest

from games.engine import GAMES, rummy
from games.engine.cards import NAMES
from games.engine.game import IllegalAction
from games.pictures import WrongPicture, cards, picture, rows
from games.pictures.cards import Group, Row, drawn
from tests.engine.rummy_decks import amid
from tests.processes import ROOT

HAND = "AC 2C 3C 7D 7H 7S TH JH QH 5S"
OTHER = "4C 5C KH QS QD QC 2D 2H 9S 8D"
KNOCK = """["draw_stock", {type = "knock", card = "KD"}]"""


def script(says="", play="[]", game="gin", dealt=f"{HAND} {OTHER} JC KD", caption="", more=""):
    return picture(
        f'game="{game}"\ncards="{dealt}"\nplay={play}\ncaption="{caption}"\n{says}\n{more}'
    )


def test_a_picture_shows_a_position_that_the_engine_was_led_to():
    shown = script(play=KNOCK, caption="{showdown.deadwood} left")

    assert shown.caption == "5 left"
    labels = [row.label or row.groups[0].label for row in shown.rows]
    assert labels == ["Stock: 30", "Knocker: 5 deadwood"]
    melds = [group.cards for group in shown.rows[1].groups]
    assert melds == [("AC", "2C", "3C"), ("7D", "7H", "7S"), ("TH", "JH", "QH"), ("5S",)]


@pytest.mark.parametrize(
    "says",
    [
        "says.showdown.deadwood = 6",
        'says.showdown.melds = [["AC", "2C", "3C"]]',
        'says.result.ending = "gin"',
        "says.no_such_field = 1",
    ],
)
def test_a_picture_that_says_what_is_not_so_is_not_drawn(says):
    with pytest.raises(WrongPicture, match="is said to be"):
        script(says, KNOCK)


def test_what_it_says_may_be_a_part_of_what_is_so():
    script("says.showdown = { deadwood = 5 }\nsays.turn = 1", KNOCK)


def test_an_illegal_action_is_not_drawn():
    with pytest.raises(IllegalAction):
        script(play='["draw_stock", "draw_stock"]')


def test_a_card_named_twice_is_not_dealt():
    with pytest.raises(WrongPicture, match="named twice"):
        script(dealt="AC AC")


def test_a_field_that_a_script_does_not_have_is_refused():
    with pytest.raises(msgspec.ValidationError, match="colour"):
        script(more='colour = "red"')


def test_a_next_deal_begins_only_when_it_is_played_on():
    to_the_end = '["draw_stock", {type = "knock", card = "KD"}, "finish_layoffs"'
    ended = script(play=f"{to_the_end}]", says="says.phase = 'dealing'\nsays.deal = 1")
    assert [row.label for row in ended.rows[:2]] == [
        "Knocker: 5 deadwood",
        "The other: 40 deadwood",
    ]
    script(play=f'{to_the_end}, "draw_stock"]', says="says.deal = 2")


@pytest.mark.parametrize("game", GAMES)
def test_a_fresh_deal_of_every_game_can_be_drawn(game):
    svg = drawn(script(game=game, dealt="").rows)

    assert ElementTree.fromstring(svg).get("role") == "img"


def test_of_a_game_without_pictures_of_its_own_the_hand_is_drawn():
    class View:
        hand = ("AC", "KD")

    assert rows("none", View()) == (Row((Group(("AC", "KD")),), "Hand"),)


@pytest.mark.parametrize("card", NAMES)
def test_a_card_is_drawn_by_rank_and_by_the_shape_of_its_suit(card):
    svg = drawn([Row((Group((card,)),))])
    rank = {"T": "10"}.get(card[0], card[0])
    assert f">{rank}</text>" in svg
    assert svg.count(cards.SHAPES[card[1]]) == 2
    assert f'aria-label="{cards.spoken(card)}"' in svg


def test_four_suits_have_four_shapes():
    assert len(set(cards.SHAPES.values())) == 4


def test_what_is_face_down_tells_no_name():
    svg = drawn([Row((Group((None,), "Stock"),))])
    assert 'aria-label="Stock: 1 face down"' in svg
    assert "<text" in svg and svg.count("<text") == 1


def test_a_row_that_is_too_wide_goes_on_below():
    groups = tuple(Group(NAMES[n : n + 4]) for n in range(0, 24, 4))
    svg = ElementTree.fromstring(drawn([Row(groups, "Table")]))
    corners = [re.findall(r"[\d.]+", g.get("transform", "")) for g in svg if g.get("transform")]
    assert len(corners) == 24
    assert all(float(x) + cards.WIDE <= 350 for x, _ in corners)
    assert len({y for _, y in corners}) > 1


def test_a_stock_without_cards_is_drawn_without_and_seats_are_counted_from_1():
    empty = msgspec.structs.replace(amid(rummy.Options(), "2C 5D KD", "3D 4C"), stock=())
    [piles, *_] = rows("rummy", rummy.view(empty, 0))
    assert piles.groups[0] == Group(("",), "Stock: 0")

    page = (ROOT / "docs" / "rules-rummy.md").read_text()
    gone_rummy = re.findall(r"```toml position\n(.*?)```", page, re.DOTALL)[-1]
    assert "Seat 2: 68 points" in drawn(picture(gone_rummy).rows)
