"""An operator looks at any match at any move from any seat; one that lives is locked."""

import json
import re
from datetime import timedelta

import pytest
from django.contrib import admin
from django.test import Client

from games.models import Match
from games.services import ends, tables
from players.models import Intervention, Player
from tests.games.people import LOST, READY, WINNING, played, sit
from tests.secrecy.questions import OWN_PAGES


def signed_in(name):
    client = Client()
    client.force_login(Player.objects.create_superuser(name))
    return client


@pytest.fixture
def operator(db):
    return signed_in("olga")


@pytest.fixture
def over(ann, bob):
    return played(sit(ann, bob, target=50), *WINNING)


@pytest.fixture
def live(ann, bob):
    return played(sit(ann, bob), "draw")


def page(client, match, query=""):
    answer = client.get(f"/admin/games/match/{match.pk}/replay/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_every_move_of_an_ended_match_is_shown_from_every_seat(operator, over):
    for version in range(1, over.version + 1):
        for seat in ("0", "1", "spectator", "all"):
            shown = page(operator, over, f"?at={version}&seat={seat}")
            assert f"{version} of {over.version}" in shown
            assert not re.search(r'viewBox="[^"]* -[^ "]*"', shown), (
                "before the deal nothing is drawn"
            )


def test_people_count_seats_from_1_here_as_at_the_table(operator, over):
    match = operator.get(f"/admin/games/match/{over.pk}/change/").content.decode()
    mend = operator.get(f"/admin/games/match/{over.pk}/mend/roll-back/").content.decode()
    shown = page(operator, over, "?at=5")

    assert "seat 1: ann" in shown and "seat 2: bob" in shown
    assert "seat 2 deals" in shown or "seat 1 deals" in shown
    assert "joined: seat 1" in match and "joined: seat 2" in match
    for text in (match, mend, shown):
        assert not re.search(r"\bseat 0\b", text)


def test_a_seat_sees_its_own_hand_and_all_seats_see_both(operator, over):
    own, other = (
        "10 of hearts",
        "10 of diamonds",
    )  # in the hand that is READY, in the one that is LOST
    assert "TH" in READY and "TD" in LOST
    assert own in page(operator, over, "?at=5&seat=0")
    assert other not in page(operator, over, "?at=5&seat=0")
    assert other in page(operator, over, "?at=5&seat=1")
    both = page(operator, over, "?at=5&seat=all")
    assert own in both and other in both
    neither = page(operator, over, "?at=5&seat=spectator")
    assert own not in neither and other not in neither


def test_it_steps_by_links_that_the_keyboard_follows(operator, over):
    middle = page(operator, over, "?at=5&seat=1")
    for rel, at in (("prev", 4), ("next", 6), ("first", 1), ("last", over.version)):
        assert f'rel="{rel}" href="?at={at}&amp;seat=1"' in middle
    assert 'rel="prev"' not in page(operator, over, "?at=1")
    assert 'rel="next"' not in page(operator, over, f"?at={over.version}")
    assert "/static/admin/replay.js" in middle


def test_the_moves_around_are_told_in_words(operator, over):
    shown = page(operator, over, "?at=6")

    assert "draws KD from the stock" in shown
    assert "discards KD and knocks" in shown


@pytest.mark.parametrize("query", ["?at=0", "?at=999", "?at=-1", "?at=x", "?seat=9", "?seat=x"])
def test_a_version_or_seat_that_there_is_not_becomes_the_nearest(operator, over, query):
    assert "of" in page(operator, over, query)


# One that lives


def test_a_live_match_is_shown_as_a_spectator_sees_it(operator, live):
    for query in ("", "?at=5&seat=0", "?at=5&seat=1", "?at=5&seat=all"):
        shown = page(operator, live, query)
        assert "locked" in shown and "<svg" in shown
        assert "10 of hearts" not in shown and "10 of diamonds" not in shown
        assert not re.search(r"\bKD\b", shown), "the card that was drawn"
        assert 'aria-label="Seats"' not in shown
    assert "draws a card from the stock" in page(operator, live)


def test_an_open_table_can_be_stepped_through_too(operator, ann):
    assert "1 of 1" in page(operator, sit(ann, "open"))


def test_the_way_back_to_the_match_stands_above(operator, live):
    assert f"/admin/games/match/{live.pk}/change/" in page(operator, live).partition("<main")[0]


def test_who_breaks_it_open_says_why_and_then_sees_it_for_a_while(operator, live, monkeypatch):
    address = f"/admin/games/match/{live.pk}/mend/open/"
    assert operator.post(address, {"reason": ""}).status_code == 409
    assert "locked" in page(operator, live)

    assert operator.post(address, {"reason": "they say it hangs"}).status_code == 302

    assert "10 of hearts" in page(operator, live, "?at=5&seat=0")
    kept = Intervention.objects.get()
    assert (kept.what, kept.by.name, kept.reason) == ("break open", "olga", "they say it hangs")
    monkeypatch.setattr("games.admin.replay.OPEN_FOR", timedelta(0))
    assert "locked" in page(operator, live)


def test_it_stays_locked_for_other_operators_and_other_matches(operator, live, eve, ann):
    operator.post(f"/admin/games/match/{live.pk}/mend/open/", {"reason": "x"})

    assert "locked" in page(signed_in("otto"), live)
    assert "locked" in page(operator, sit(eve, ann))


def exported(client, match):
    """The lines of its export; none where it is refused."""
    answer = client.get(f"/admin/games/match/{match.pk}/export/")
    if answer.status_code == 403:
        return []
    return [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]


def test_a_match_is_exported_once_it_is_over(operator, over, live):
    head, *entries = exported(operator, over)
    assert len(entries) == over.version
    assert head["secret"] == over.secret_hex
    assert exported(operator, live) == []


def test_who_has_broken_a_live_match_open_exports_it_so_far_and_that_is_kept(operator, live):
    operator.post(f"/admin/games/match/{live.pk}/mend/open/", {"reason": "they say it hangs"})
    assert f"/admin/games/match/{live.pk}/export/" in page(operator, live)

    head, *entries = exported(operator, live)
    assert [entry["version"] for entry in entries] == list(range(1, live.version + 1))
    assert head["secret"] is None, "the deals to come follow from it"
    kept = Intervention.objects.latest("id")
    assert (kept.what, kept.by.name, kept.reason) == ("export", "olga", "they say it hangs")
    assert kept.detail == {"version": live.version}
    assert exported(signed_in("otto"), live) == []


def test_who_sits_down_at_a_table_that_he_has_broken_open_sees_no_more_than_others(operator, ann):
    match = sit(ann, "open")
    operator.post(f"/admin/games/match/{match.pk}/mend/open/", {"reason": "x"})
    match = tables.join(match.pk, Player.objects.get(name="olga"))
    assert match.status == "playing"

    assert "locked" in page(operator, match)
    assert exported(operator, match) == []


def test_a_match_that_was_rolled_back_is_shown_whole(operator, ann, bob, live):
    resigned = ends.resign(live.pk, ann.player)
    form = {"reason": "a slip", "version": resigned.version, "to": live.version}
    operator.post(f"/admin/games/match/{live.pk}/mend/roll-back/", form)
    done = ends.resign(live.pk, bob.player)

    for version in range(1, done.version + 1):
        page(operator, Match.objects.get(pk=live.pk), f"?at={version}")
    assert "takes the match back to version" in page(operator, done, f"?at={done.version}")


def test_players_see_none_of_it(ann, over):
    client = Client()
    client.force_login(ann.player)
    for name in ("replay", "export", "mend/void"):
        assert client.get(f"/admin/games/match/{over.pk}/{name}/").status_code == 302


def test_the_secrecy_gate_knows_every_page_of_the_admins_own():
    known = {
        f"{name}_{page.partition('/')[0]}" for name, pages in OWN_PAGES.items() for page in pages
    }
    django = ("_changelist", "_add", "_history", "_delete", "_change")
    own = {
        pattern.name
        for model_admin in admin.site._registry.values()
        for pattern in model_admin.get_urls()
        if pattern.name and not pattern.name.endswith(django)
    }
    assert own == known
