"""Held streams: who listens hears each event once and in order, by Redis or without it."""

import json
import threading

import pytest
import redis
from django.conf import settings
from django.db import connection
from django.utils import timezone

from games import streams, wake
from games.models import Match, Move
from games.services import tables
from ginservice import broker
from players import services
from players.models import Player, Token
from tests.games.people import WINNING, Person, events, played, sit

pytestmark = pytest.mark.django_db(transaction=True)

FORMS = ("text/event-stream", "application/x-ndjson")
every_form = pytest.mark.parametrize("form", FORMS)


@pytest.fixture
def often(monkeypatch):
    """The database is looked at ten times a second."""
    monkeypatch.setattr(streams, "CHECK_SECONDS", 0.1)


@pytest.fixture
def never(monkeypatch):
    """The database is not looked at: only what Redis tells is heard."""
    monkeypatch.setattr(streams, "CHECK_SECONDS", 1000)


@pytest.fixture
def deaf(monkeypatch):
    """Nothing is published."""
    monkeypatch.setattr(wake, "publish", lambda match_id, version: None)


@pytest.fixture
def away(monkeypatch):
    """Nothing listens where Redis should be. away() once more: it is back."""

    def come_back():
        monkeypatch.setattr(settings, "REDIS_URL", url)
        wake.publisher.cache_clear()

    url = settings.REDIS_URL
    monkeypatch.setattr(broker, "PAUSE", 0)
    monkeypatch.setattr(streams, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(settings, "REDIS_URL", "redis://127.0.0.1:1/0")
    wake.publisher.cache_clear()
    yield come_back
    wake.publisher.cache_clear()


def versions(events):
    return [event["version"] for event in events]


def replayed(person, match, since):
    """The events after a version, as replays tell them."""
    last = Match.objects.get(pk=match.pk).version
    path = f"/matches/{match.pk}/replay?at="
    return [person.get(f"{path}{at}").json() for at in range(since + 1, last + 1)]


def hears_redis(house, match):
    """Until what is published of the match is heard, and nothing older is looked up any more."""
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        while not dict(client.pubsub_numsub(wake.CHANNEL))[wake.CHANNEL.encode()]:
            pass
    while house.feeds.unsure.is_set():
        pass


# An event comes


@every_form
def test_an_event_comes_as_soon_as_redis_tells(ann, bob, house, never, form):
    match = sit(ann, bob)
    heard = house.listen(ann, match, accept=form)
    assert heard.until(5) == replayed(ann, match, 0)
    hears_redis(house, match)

    played(match, "draw", "discard 5S", "draw")

    assert heard.until(8) == replayed(ann, match, 0)
    assert versions(heard.events()) == [1, 2, 3, 4, 5, 6, 7, 8]


@every_form
def test_what_redis_did_not_tell_is_found_in_the_database(ann, bob, house, often, deaf, form):
    match = sit(ann, bob)
    heard = house.listen(ann, match, accept=form)
    heard.until(5)

    played(match, "draw", "discard 5S")

    assert heard.until(7) == replayed(ann, match, 0)


def test_what_comes_between_the_answers_first_bytes_and_its_place_in_the_feeds_is_found(
    ann, bob, house, never, monkeypatch
):
    match = sit(ann, bob)
    join = streams.Feeds.join

    def join_late(feeds, stream):
        worker = threading.Thread(target=play_and_close, args=(match, "draw"))
        worker.start()
        worker.join()
        return join(feeds, stream)

    monkeypatch.setattr(streams.Feeds, "join", join_late)
    monkeypatch.setattr(wake, "publish", lambda match_id, version: None)

    assert versions(house.listen(ann, match).until(6)) == [1, 2, 3, 4, 5, 6]


def play_and_close(match, line):
    played(match, line)
    connection.close()


def test_each_sees_what_he_may_know(ann, bob, eve, nobody, house, often):
    match = sit(ann, bob)
    people = (ann, bob, eve, nobody)
    heard = [house.listen(person, match, "?after=5") for person in people]

    played(match, "draw", "discard 5S")

    told = [each.until(7) for each in heard]
    assert told == [replayed(person, match, 5) for person in people]
    assert [events[0]["last"]["card"] for events in told] == ["KD", None, None, None]


def test_who_returns_hears_what_he_missed_and_nothing_twice(ann, bob, house, often):
    match = sit(ann, bob)
    first = house.listen(ann, match)
    first.until(5)
    played(match, "draw")
    first.until(6)
    first.leave()
    played(match, "discard 5S")

    second = house.listen(ann, match, Last_Event_ID="6")
    second.until(7)
    played(match, "draw")

    assert first.events() + second.until(8) == replayed(ann, match, 0)


def test_a_reader_who_is_far_behind_gets_all(ann, bob, house, often, deaf, monkeypatch):
    monkeypatch.setattr(streams, "RECENT", 1)
    monkeypatch.setattr(streams.events, "PAGE", 3)
    match = sit(ann, bob)
    heard = house.listen(ann, match)

    played(match, *("draw", "discard 5S", "draw", "discard 2D", "take", "discard KD", "take"))

    assert versions(heard.until(12)) == list(range(1, 13))


def test_new_entries_are_read_once_for_all_readers(ann, bob, eve, house, never, monkeypatch):
    read = []
    entries = streams.entries
    monkeypatch.setattr(streams, "entries", lambda *args: read.append(args[1]) or entries(*args))
    match = sit(ann, bob)
    heard = [house.listen(person, match) for person in (ann, bob, eve) * 5]
    hears_redis(house, match)

    played(match, "draw")

    assert all(versions(each.until(6)) == [1, 2, 3, 4, 5, 6] for each in heard)
    assert read == [6]


# Long polls


def test_a_poll_is_answered_by_the_next_event(ann, bob, house, often):
    match = sit(ann, bob)
    heard = house.listen(ann, match, "?after=5&wait=60")

    played(match, "draw")

    told = json.loads(heard.whole())
    assert told["results"] == replayed(ann, match, 5)
    assert told["next"] == f"/api/v1/matches/{match.pk}/events?after=6&wait=60"


def test_a_poll_without_an_event_is_answered_in_its_time(ann, bob, house, often):
    match = sit(ann, bob)

    told = json.loads(house.listen(ann, match, "?after=5&wait=1").whole())

    assert told == {
        "results": [],
        "next": f"/api/v1/matches/{match.pk}/events?after=5&wait=1",
    }


def test_a_poll_of_a_match_that_ends_meanwhile_says_that_nothing_follows(ann, bob, house, often):
    match = sit(ann, bob)
    heard = house.listen(bob, match, "?after=5&wait=60")

    ann.post(f"/matches/{match.pk}/resignation")

    told = json.loads(heard.whole())
    assert (versions(told["results"]), told["next"]) == ([6], None)


# A stream ends


@every_form
def test_the_stream_of_a_match_ends_with_it(ann, bob, house, often, form):
    match = sit(ann, bob, target=50)
    heard = house.listen(ann, match, accept=form)

    played(match, *WINNING)

    heard.whole()
    assert heard.events() == replayed(ann, match, 0)
    assert house.listen(ann, match, f"?after={heard.events()[-1]['version']}").status == 204


def test_who_leaves_is_forgotten(ann, bob, house):
    match = sit(ann, bob)
    heard = [house.listen(person, match) for person in (ann, bob)]
    assert len(house.feeds.feeds) == 1

    for each in heard:
        each.leave()

    assert house.feeds.feeds == {}


def test_a_heartbeat_says_that_the_stream_lives(ann, bob, house, monkeypatch):
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.05)
    match = sit(ann, bob)
    heard = [house.listen(ann, match, "?after=5", form) for form in FORMS]

    assert heard[0].more() == b"retry: 1000\n\n"
    assert heard[0].more() == b": still here\n\n"
    assert heard[1].more() == b""  # there is nothing yet
    assert b"\n" in (heard[1].more(), heard[1].more())


def revoke_token(person):
    services.revoke_token(Token.objects.get(player=person.player))


def disable(person):
    Player.objects.filter(pk=person.player.pk).update(is_active=False)


@pytest.mark.parametrize("lose", [revoke_token, disable])
def test_who_loses_the_right_to_read_is_cut_off(ann, bob, house, often, lose):
    match = sit(ann, bob)
    heard, other = house.listen(ann, match), house.listen(bob, match)
    poll = house.listen(ann, match, "?after=5&wait=60")

    lose(ann)

    assert versions(events_of(heard)) == [1, 2, 3, 4, 5]
    assert json.loads(poll.whole())["results"] == []
    played(match, "draw")
    assert versions(other.until(6)) == [1, 2, 3, 4, 5, 6]


def events_of(heard):
    heard.whole()
    return heard.events()


def sign_out(person):
    person.client.logout()


def expire(person):
    session = person.client.session
    session.set_expiry(-1)
    session.save()


def change_password(person):
    person.player.set_password("another horse battery")
    person.player.save()


@pytest.mark.parametrize("lose", [sign_out, expire, change_password, disable])
def test_a_browsers_stream_ends_with_its_session(ann, bob, house, often, lose):
    match = sit(ann, bob)
    browser = Person()
    browser.player = ann.player
    browser.client.force_login(ann.player)
    cookie = f"sessionid={browser.client.session.session_key}"
    heard = house.listen(browser, match, "?after=3", cookie=cookie)
    assert heard.until(5)[-1]["view"]["hand"], "ann is known by her cookie"
    played(match, "draw")
    heard.until(6)

    lose(browser)

    assert versions(events_of(heard)) == [4, 5, 6]


def test_who_refuses_the_seat_kept_for_him_hears_no_more_of_a_private_match(ann, bob, house, often):
    match = tables.create_match(
        ann.player, "gin", {}, ["me", tables.Wish(invite="bob")], "private", starts="later"
    )
    with_key = house.listen(Person(), match, f"?key={match.key}")
    heard = house.listen(bob, match)

    tables.leave(match.pk, bob.player)

    assert versions(events_of(heard)) == [1, 2]
    assert versions(with_key.until(3)) == [1, 2, 3]


def test_all_streams_end_at_once_when_the_server_does(ann, bob, house):
    match = sit(ann, bob)
    heard = [house.listen(ann, match, accept=form) for form in FORMS]
    poll = house.listen(ann, match, "?after=5&wait=60")

    house.close()

    for each in heard:
        each.whole()
    assert json.loads(poll.whole())["next"].endswith("after=5&wait=60")


# Too many


@pytest.mark.parametrize("query", ["", "?after=5&wait=60"])
def test_a_player_holds_so_many_streams_and_no_more_until_one_has_ended(
    ann, bob, house, settings, query
):
    settings.STREAMS_OF_A_PLAYER = 2
    one, other = sit(ann, bob), sit(ann, bob)
    heard = [house.listen(ann, match) for match in (one, other)]

    refusal = house.listen(ann, one, query)

    assert (refusal.status, refusal.header("Content-Type")) == (429, "application/problem+json")
    assert json.loads(refusal.whole())["code"] == "too-many-streams"
    assert refusal.header("Retry-After") == "10"
    assert house.listen(ann, one, "?wait=0").status == 200, "what there is can be read"
    assert house.listen(bob, one).status == 200
    heard[0].leave()
    assert house.listen(ann, one).status == 200
    assert house.listen(ann, one).status == 429


def test_so_many_are_held_for_an_address_whoever_asks(ann, bob, nobody, house, settings):
    settings.STREAMS_OF_AN_ADDRESS, settings.STREAMS_OF_A_PLAYER = 3, 1
    match = sit(ann, bob)
    assert [house.listen(who, match).status for who in (ann, nobody, nobody)] == [200] * 3

    assert [house.listen(who, match).status for who in (bob, nobody)] == [429] * 2


def test_a_process_holds_so_many_and_no_more(ann, bob, nobody, house, settings):
    settings.STREAMS = 1
    match = sit(ann, bob)
    first = house.listen(nobody, match)

    full = house.listen(ann, match)

    assert (full.status, json.loads(full.whole())["code"]) == (503, "streams-full")
    assert full.header("Retry-After") == "10"
    first.leave()
    assert house.listen(ann, match).status == 200


def test_a_limit_of_0_is_none_and_nothing_is_counted_that_has_ended(ann, bob, house, settings):
    settings.STREAMS = settings.STREAMS_OF_A_PLAYER = settings.STREAMS_OF_AN_ADDRESS = 0
    match = sit(ann, bob)
    heard = [house.listen(ann, match) for _ in range(5)]
    assert house.feeds.held.all == 5

    for each in heard:
        each.leave()

    assert house.feeds.held.all == 0
    assert not house.feeds.held.players
    assert not house.feeds.held.addresses


# What they cost


def test_sixty_streams_hold_no_connection(ann, bob, house, often):
    matches = [sit(ann, bob) for _ in range(6)]
    heard = [house.listen(ann, match) for match in matches * 10]
    for match in matches:
        played(match, "draw")
    for each in heard:
        each.until(6)

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        [(connections,)] = cursor.fetchall()
    assert connections <= 1 + 4 + 2  # the test's own, Django's threads, the streams' threads


def test_a_look_at_the_database_costs_the_same_for_many(ann, bob, eve, count):
    ids, credentials = [], set()
    costs = []
    for people in ([ann], [bob, eve]):
        for person in people:
            ids += [sit(person, "easy").pk for _ in range(5)]
            token = Token.objects.get(player=person.player)
            credentials.add(streams.Credential(token.pk, None))
            person.client.force_login(person.player)
            credentials.add(streams.Credential(None, person.client.session.session_key))
        with count() as statements:
            found, valid = streams.look_up(ids, credentials)
        costs.append(statements())
        assert set(found) == set(ids)
        assert valid == credentials
    assert costs == [4, 4]


# Redis is not there


def test_without_redis_events_come_all_the_same_and_it_is_logged_once(
    ann, bob, house, often, away, caplog
):
    match = sit(ann, bob)
    heard = house.listen(ann, match)

    for version, line in enumerate(("draw", "discard 5S", "draw"), 6):
        played(match, line)
        assert versions(heard.until(version)) == list(range(1, version + 1))
    assert [event["event"] for event in events(caplog)].count("redis_not_heard") == 1


def test_when_redis_comes_back_it_is_heard_again(ann, bob, house, never, away):
    match = sit(ann, bob)
    heard = house.listen(ann, match)
    heard.until(5)
    away()
    hears_redis(house, match)

    played(match, "draw")

    assert versions(heard.until(6)) == [1, 2, 3, 4, 5, 6]


def test_nonsense_on_the_channel_is_no_harm(ann, bob, house, never):
    match = sit(ann, bob)
    heard = house.listen(ann, match)
    hears_redis(house, match)
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        for text in ("", "x", "x y z", f"{match.pk}", f"{match.pk} x", b"\xff", f"{match.pk} 4"):
            client.publish(wake.CHANNEL, text)

    played(match, "draw")

    assert versions(heard.until(6)) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("error", streams.GONE)
@pytest.mark.parametrize("broken", ["look_up", "entries"])
def test_a_database_that_is_away_for_a_moment_costs_no_event(
    ann, bob, house, often, deaf, monkeypatch, broken, error
):
    real, failed = getattr(streams, broken), []

    def fails_at_first(*args):
        if len(failed) < 2:
            failed.append(timezone.now())
            raise error("terminating connection")
        return real(*args)

    match = sit(ann, bob)
    heard = house.listen(ann, match)
    heard.until(5)
    monkeypatch.setattr(streams, broken, fails_at_first)

    played(match, "draw")

    assert versions(heard.until(6)) == [1, 2, 3, 4, 5, 6]
    assert len(failed) == 2


@pytest.mark.parametrize("error", streams.GONE)
def test_a_database_that_is_away_when_redis_tells_is_a_line_of_log_and_costs_no_event(
    ann, bob, house, never, monkeypatch, caplog, error
):
    real, failed = streams.entries, threading.Event()

    def fails_at_first(*args):
        if not failed.is_set():
            failed.set()
            raise error("terminating connection")
        return real(*args)

    match = sit(ann, bob)
    heard = house.listen(ann, match)
    hears_redis(house, match)
    heard.until(5)
    monkeypatch.setattr(streams, "entries", fails_at_first)

    played(match, "draw")
    assert failed.wait(30)
    house.loop.call_soon_threadsafe(house.feeds.unsure.set)

    assert versions(heard.until(6)) == [1, 2, 3, 4, 5, 6]
    assert "streams_not_checked" in [event["event"] for event in events(caplog)]


# What goes wrong for one


def test_a_match_whose_log_is_damaged_holds_up_no_other(
    ann, bob, house, often, deaf, monkeypatch, caplog
):
    real = streams.look_up
    damaged, sound = sit(ann, bob), sit(ann, bob)
    house.listen(ann, damaged).until(5)
    heard = house.listen(ann, sound)

    def damaged_first(ids, credentials):
        versions, valid = real(ids, credentials)
        return dict(sorted(versions.items(), key=lambda found: found[0] != damaged.pk)), valid

    monkeypatch.setattr(streams, "look_up", damaged_first)
    played(damaged, "draw")
    Move.objects.filter(match=damaged, version=6).update(action={"type": "nonsense"})
    played(sound, "draw")
    heard.until(6)
    played(sound, "discard 5S")

    assert versions(heard.until(7)) == [1, 2, 3, 4, 5, 6, 7]
    told = [event for event in events(caplog) if event["event"] == "stream_not_read"]
    assert [event["match"] for event in told] == [str(damaged.pk)], "once, and not at each check"


def test_who_hangs_up_while_his_token_is_found_revoked_holds_up_nobody(
    ann, bob, house, never, deaf, monkeypatch
):
    real = streams.look_up
    one, other = sit(ann, bob), sit(ann, bob)
    leaver, heard = house.listen(ann, one), house.listen(bob, other)
    leaver.until(5)
    heard.until(5)

    def hangs_up_meanwhile(ids, credentials):
        versions, valid = real(ids, credentials)
        if credentials - valid:
            leaver.leave()
        return versions, valid

    monkeypatch.setattr(streams, "look_up", hangs_up_meanwhile)
    revoke_token(ann)
    played(other, "draw")
    house.loop.call_soon_threadsafe(house.feeds.unsure.set)

    assert versions(heard.until(6)) == [1, 2, 3, 4, 5, 6]


def test_whatever_goes_wrong_with_redis_it_is_heard_again(
    ann, bob, house, never, monkeypatch, caplog
):
    real, again = streams.Feeds.hear, threading.Event()
    failed = []

    async def fails_at_first(feeds):
        if not failed:
            failed.append("once")
            raise RuntimeError("what nobody thought of")
        again.set()
        await real(feeds)

    monkeypatch.setattr(streams, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(streams.Feeds, "hear", fails_at_first)
    match = sit(ann, bob)
    heard = house.listen(ann, match)
    assert again.wait(30)
    hears_redis(house, match)

    played(match, "draw")

    assert versions(heard.until(6)) == [1, 2, 3, 4, 5, 6]
    assert [event["event"] for event in events(caplog)].count("redis_not_heard") == 1
