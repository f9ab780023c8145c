"""Matches broken or stuck in every way that we know, each mended from the admin, without SQL."""

import pytest

from games.models import BotError, Deal, Match, Move, Rating, RatingChange, Seat, Standing, Tally
from games.proofs import difference
from games.services import ends, scores, tables, turns
from games.services.records import sure
from games.tasks import play_bot_turn
from players.models import Intervention, Player
from tests.games.people import DECK, WINNING, Person, played, sit

pytestmark = pytest.mark.usefixtures("short_matches")

SHORT = {"target": 50}


@pytest.fixture
def mend(operator):
    """mend(match, "void", …): POST of that page, with a reason; the match after it."""

    def do(match, name, status=302, **fields):
        form = {"reason": "because", "version": match.version, **fields}
        answer = operator.post(f"/admin/games/match/{match.pk}/mend/{name}/", form)
        assert answer.status_code == status, answer.content.decode()
        return now(match)

    return do


@pytest.fixture
def queued(monkeypatch):
    sent = []
    monkeypatch.setattr("games.wake.send", lambda task, *args, queue: sent.append(args))
    return sent


def now(match):
    return Match.objects.get(pk=match.pk)


def found(match):
    """What differs from the log, in words; None where nothing does."""
    match = now(match)
    rows = (
        match.moves.order_by("version"),
        match.deals.order_by("number"),
        match.seats.order_by("number"),
    )
    return difference(match, *map(list, rows), list(match.posted.all()), list(match.tallies.all()))


def is_whole(match):
    assert found(match) is None, found(match)
    return True


def is_broken(match):
    return found(match) is not None


def spoil(rows, **fields):
    assert rows.update(**fields) == 1


def under_way(ann, other="easy", **options):
    return played(sit(ann, other, **options), "draw", "discard KD")


# What repeats the log is damaged


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param({"position": {"nonsense": 1}}, id="the state"),
        pytest.param({"version": 3, "turn": 0, "bot_to_move": False}, id="version and turn"),
        pytest.param({"status": "finished", "ended_by": "played"}, id="the status"),
        pytest.param({"queued_at": None, "deadline": None}, id="when the bot is looked after"),
    ],
)
def test_a_match_whose_row_is_damaged_is_folded_again(ann, queued, mend, damage):
    match = under_way(ann)
    spoil(Match.objects.filter(pk=match.pk), **damage)

    mended = mend(match, "fold-again")

    assert is_whole(mended)
    assert (mended.version, mended.bot_to_move) == (match.version, True)
    assert mended.queued_at and mended.deadline
    play_bot_turn(str(match.pk), match.version)
    assert now(match).version == match.version + 1


def test_a_lost_deadline_of_a_person_is_found_again(ann, bob, queued, mend):
    match = played(sit(ann, bob, clock={"seconds": 60}), "draw")
    spoil(Match.objects.filter(pk=match.pk), deadline=None, ends_at=None)
    assert is_broken(match)

    mended = mend(match, "fold-again")

    assert (mended.deadline, mended.ends_at) == (match.deadline, match.ends_at)
    assert is_whole(mended)


def test_a_deal_that_has_no_row_or_a_damaged_one_is_found_again(ann, bob, mend):
    match = played(sit(ann, bob), *WINNING)
    assert Deal.objects.count() == 2
    Deal.objects.filter(number=1).delete()
    spoil(Deal.objects.filter(number=2), before={})
    assert is_broken(match)

    assert is_whole(mend(match, "fold-again"))
    assert Deal.objects.get(number=1).result["points"] == [63, 0]


def test_a_wrong_score_of_a_seat_is_made_right(ann, bob, mend):
    match = played(sit(ann, bob, **SHORT), *WINNING)
    spoil(Seat.objects.filter(match=match, number=0), score=999, place=2)
    assert is_broken(match)

    assert is_whole(mend(match, "fold-again"))
    assert Seat.objects.get(match=match, number=0).score == 63


def test_who_sits_in_a_seat_is_found_again(ann, bob, eve, mend):
    match = played(sit(ann, bob), "draw")
    spoil(Seat.objects.filter(match=match, number=1), player=eve.player)
    assert is_broken(match)

    assert is_whole(mend(match, "fold-again"))


def test_stats_that_were_lost_are_written_again(ann, bob, mend):
    match = played(sit(ann, bob, **SHORT), *WINNING)
    Tally.objects.all().delete()
    assert is_broken(match)

    assert is_whole(mend(match, "fold-again"))
    assert Tally.objects.count() == 2


def test_a_log_that_is_itself_damaged_is_left_as_it_is(ann, operator, mend):
    match = under_way(ann)
    spoil(Move.objects.filter(match=match, version=5), action={"type": "nonsense"})

    mend(match, "fold-again", 409)

    assert now(match).position == match.position
    assert not Intervention.objects.exists()


def test_a_wrong_rating_is_set_to_what_its_changes_say(ann, bob, operator):
    played(sit(ann, bob, **SHORT), *WINNING)
    rating = Rating.objects.get(player=ann.player)
    Rating.objects.filter(pk=rating.pk).update(mu=99, matches=7)
    Standing.objects.filter(player=ann.player, board__period="all").update(value=3000)

    answer = operator.post(f"/admin/games/rating/{rating.pk}/restore/", {"reason": "a slip"})

    assert answer.status_code == 302
    mended = Rating.objects.get(pk=rating.pk)
    assert (mended.mu, mended.sigma, mended.matches) == (rating.mu, rating.sigma, 1)
    board = Standing.objects.get(player=rating.player, board__period="all", until=None)
    assert board.value == sure(rating)
    assert Intervention.objects.get().detail["was"]["mu"] == 99


# It does not go on


def test_a_bots_turn_that_was_tried_in_vain_is_queued_again(ann, queued, operator, mend):
    match = under_way(ann)
    spoil(Match.objects.filter(pk=match.pk), attempts=3)
    turns.note_bot_error(match, "easy", "stuck", ValueError())
    queued.clear()
    page = operator.get(f"/admin/games/match/{match.pk}/change/").content.decode()
    assert "stuck" in page and "ValueError" in page

    mended = mend(match, "requeue")

    assert mended.attempts == 0
    assert mended.version == match.version


def test_a_turn_that_no_bot_could_play_is_not_queued_but_the_match_is_to_be_folded_first(
    ann, operator, queued
):
    match = under_way(ann)
    Match.objects.filter(pk=match.pk).update(position={})
    queued.clear()

    page = operator.post(
        f"/admin/games/match/{match.pk}/mend/requeue/",
        {"reason": "because", "version": match.version},
        follow=True,
    ).content.decode()
    assert "fold the match again first" in page
    assert queued == []


@pytest.mark.django_db(transaction=True)
def test_the_turn_then_reaches_the_broker(ann, queued, mend):
    match = under_way(ann)
    queued.clear()

    mend(match, "requeue")

    assert queued == [(str(match.pk), match.version)]


def test_a_player_who_has_vanished_is_replaced_by_a_bot(ann, bob, queued, mend):
    match = played(sit(ann, bob), "draw")

    mended = mend(match, "seat-bot", seat=0, level="easy")

    assert mended.bot_to_move
    play_bot_turn(str(match.pk), mended.version)
    after = now(match)
    assert after.turn == 1
    assert after.folded().resigned == (0,)
    assert is_whole(after)


def test_a_bot_that_always_fails_is_replaced_by_another(ann, queued, mend):
    match = under_way(ann)

    mended = mend(match, "seat-bot", seat=1, level="random")

    position = mended.folded()
    assert (position.bot_to_move, position.resigned) == ("random", ())
    assert is_whole(mended)


def test_a_table_that_nobody_starts_is_started(ann, mend):
    seats = ["me", tables.Wish(bot="easy")]
    match = tables.create_match(ann.player, "gin", {}, seats, starts="later")

    assert mend(match, "start").status == "playing"
    assert is_whole(now(match))


def test_a_table_that_nobody_joins_is_given_a_bot(ann, mend):
    match = tables.create_match(ann.player, "gin", {}, ["me", "open"])

    assert mend(match, "seat-bot", seat=1, level="easy").status == "playing"
    assert is_whole(now(match))


def test_a_match_that_leads_nowhere_is_ended(ann, bob, mend):
    match = played(sit(ann, bob), "draw")

    ended = mend(match, "end")

    assert (ended.status, ended.ended_by) == ("aborted", "operator")
    assert not RatingChange.objects.exists()
    assert is_whole(ended)
    told = ann.get(f"/matches/{match.pk}/moves?limit=100").json()["results"]
    assert told[-1]["words"] == "an operator ends the match"


# It should not have come so


def test_a_match_that_was_agreed_upon_is_voided_and_gives_nothing(ann, bob, mend):
    match = played(sit(ann, bob, **SHORT), *WINNING)
    assert Standing.objects.filter(until=None).count() == 6

    voided = mend(match, "void")

    assert (voided.status, voided.ended_by) == ("voided", "played")
    assert [(r.mu, r.matches) for r in Rating.objects.all()] == [(25.0, 0)] * 2
    assert not RatingChange.objects.exists() and not Tally.objects.exists()
    assert not Standing.objects.filter(until=None).exists()
    assert set(voided.seats.values_list("place", flat=True)) == {None}
    assert is_whole(voided)
    assert ann.get(f"/matches/{match.pk}").json()["status"] == "voided"


def test_what_came_after_a_voided_match_is_kept(ann, bob, mend):
    first = played(sit(ann, bob, **SHORT), *WINNING)
    gained = RatingChange.objects.get(player=ann.player).mu - 25
    played(sit(bob, ann, **SHORT), *WINNING)
    before = Rating.objects.get(player=ann.player)

    mend(first, "void")

    after = Rating.objects.get(player=ann.player)
    change = RatingChange.objects.get(player=ann.player)
    assert after.mu == pytest.approx(before.mu - gained)
    assert (change.mu, change.sigma) == pytest.approx((after.mu, after.sigma))
    assert change.mu_before == pytest.approx(25)
    wins = Standing.objects.filter(until=None, board__period="day")
    assert {(s.player.name, s.value, s.matches) for s in wins} == {("ann", 0, 1), ("bob", 1, 1)}


def test_a_posted_score_of_a_voided_match_makes_place_for_the_one_before(ann, mend):
    def solitaire():
        match = tables.create_match(ann.player, "pyramid", {}, ["me"])
        match = ends.resign(match.pk, ann.player)
        scores.post_score(match.pk, ann.player)
        return match

    solitaire()
    second = solitaire()
    mend(second, "void")

    assert [score.match_id == second.pk for score in ann.player.scores.all()] == [False]
    assert Standing.objects.filter(until=None).count() == 3
    mend(Match.objects.exclude(pk=second.pk).get(), "void")
    assert not Standing.objects.filter(until=None).exists()


def test_a_resignation_by_mistake_is_rolled_back_and_played_on(ann, bob, queued, mend):
    match = played(sit(ann, bob), "draw", "discard KD")
    resigned = ends.resign(match.pk, ann.player)
    assert RatingChange.objects.count() == 2
    assert ann.get(f"/matches/{match.pk}").json()["secret"]

    back = mend(resigned, "roll-back", to=match.version)

    entry = back.moves.get(action__type="rolled_back").action
    assert back.folded().entropies[-1] == entry["entropy"]  # nobody can compute what comes
    told = ann.get(f"/matches/{match.pk}/moves?limit=100").content.decode()
    assert "rolled_back" in told and entry["entropy"] not in told

    assert (back.status, back.version, back.finished_at) == ("playing", resigned.version + 2, None)
    assert not RatingChange.objects.exists() and not Tally.objects.exists()
    assert is_whole(back)
    assert bob.move(match, "draw").status_code == 201
    done = ends.resign(match.pk, bob.player)
    assert RatingChange.objects.count() == 2
    assert is_whole(done)


def test_a_match_is_rolled_back_to_a_bots_turn_and_wakes_it(ann, queued, mend, capsys):
    match = under_way(ann)
    at = match.version
    later = played(match, "draw", "discard KC")
    queued.clear()

    back = mend(later, "roll-back", to=at)

    assert back.bot_to_move and back.version == later.version + 2
    assert back.folded().shuffles == later.folded().shuffles + 1
    then, again = match.folded().state, back.folded().state
    assert (again.hands, again.discards) == (then.hands, then.discards)
    assert is_whole(back)


def test_a_card_drawn_since_then_is_not_the_next_again(ann, bob, mend, script):
    """The stock is shuffled anew: who saw its top would know what comes."""
    script(DECK, DECK[::-1])
    match = played(sit(ann, bob), "draw", "discard KD")
    stock = match.folded().state.stock

    back = mend(played(match, "draw"), "roll-back", to=match.version)

    anew = back.folded().state.stock
    assert anew == stock[::-1]
    told = ann.get(f"/matches/{match.pk}/moves?limit=100").json()["results"]
    assert told[-1]["words"] == "the stock is shuffled anew"
    assert told[-1]["last"]["action"] == {"type": "reshuffle"}
    assert is_whole(back)


def test_a_match_is_rolled_back_over_deals_and_what_was_taken_back_stays_to_be_seen(ann, bob, mend):
    match = played(sit(ann, bob), *WINNING)
    before_the_end = match.version - 2
    back = mend(match, "roll-back", to=4)

    assert Deal.objects.filter(match=match).count() == 1
    assert is_whole(back)
    told = ann.get(f"/matches/{match.pk}/moves?limit=100").json()["results"]
    words = [each["words"] for each in told[-2:]]
    assert words == ["an operator takes the match back to version 4", "seat 1 deals"]
    assert [each["version"] for each in told] == list(range(1, back.version + 1))
    for version in (before_the_end, match.version, back.version):
        assert ann.get(f"/matches/{match.pk}?at={version}").status_code == 200
    again = played(back, *WINNING)
    assert again.folded().shuffles == 4  # no shuffle comes twice
    assert is_whole(again)
    twice = mend(again, "roll-back", to=back.version)
    assert is_whole(twice)


def test_a_match_cannot_go_back_to_where_nobody_played(ann, bob, mend):
    match = played(sit(ann, bob), "draw")
    for to in (0, 1, match.version, match.version + 5):
        mend(match, "roll-back", 409, to=to)
    assert now(match).version == match.version


# Who may, and why


def test_nobody_mends_a_match_in_which_he_sits(ann, operator, mend):
    olga = Player.objects.get(name="olga")
    seats = ["me", tables.Wish(bot="easy")]
    waiting = tables.create_match(olga, "gin", {}, seats, starts="later")
    playing = played(sit(ann, Person(olga)), "draw")
    over = played(sit(ann, Person(olga), **SHORT), *WINNING)

    for match, name, fields in (
        (waiting, "start", {}),
        (playing, "open", {}),
        (playing, "end", {}),
        (playing, "roll-back", {"to": 4}),
        (playing, "seat-bot", {"seat": 0, "level": "easy"}),
        (over, "void", {}),
    ):
        assert mend(match, name, 409, **fields).version == match.version, name
    assert not Intervention.objects.exists()


def test_each_is_kept_with_who_when_and_why_and_shown_on_the_match(ann, bob, operator, mend):
    match = played(sit(ann, bob), "draw")
    mend(match, "end", reason="they asked for it")

    kept = Intervention.objects.get()
    assert (kept.by.name, kept.what, kept.reason) == ("olga", "end", "they asked for it")
    page = operator.get(f"/admin/games/match/{match.pk}/change/").content.decode()
    assert "they asked for it" in page and "olga" in page
    assert "they asked for it" in operator.get("/admin/players/intervention/").content.decode()


@pytest.mark.parametrize("reason", ["", "   "])
def test_nothing_is_done_without_a_reason(ann, bob, mend, reason):
    match = played(sit(ann, bob), "draw")

    mend(match, "end", 409, reason=reason)

    assert now(match).status == "playing"


def test_a_second_click_does_nothing(ann, bob, mend):
    match = played(sit(ann, bob, **SHORT), *WINNING)
    mend(match, "void")
    mend(match, "void", 409)

    assert Intervention.objects.count() == 1
    assert now(match).version == match.version + 1


def test_what_the_operator_has_not_seen_yet_is_not_undone(ann, bob, mend):
    match = played(sit(ann, bob), "draw")
    played(match, "discard KD")

    mend(match, "roll-back", 409, to=4)

    assert not Intervention.objects.exists()


def test_who_may_only_look_sees_no_button_and_can_do_nothing(ann, bob, client):
    from django.contrib.auth.models import Permission

    match = played(sit(ann, bob), "draw")
    helper = Player.objects.create(name="helper", is_staff=True)
    helper.user_permissions.add(Permission.objects.get(codename="view_match"))
    client.force_login(helper)

    page = client.get(f"/admin/games/match/{match.pk}/change/")
    assert page.status_code == 200
    assert "/mend/" not in page.content.decode()
    for name in ("end", "open", "fold-again", "roll-back"):
        address = f"/admin/games/match/{match.pk}/mend/{name}/"
        assert client.get(address).status_code == 403
        assert client.post(address, {"reason": "x", "version": match.version}).status_code == 403
    assert now(match).status == "playing"


def test_looking_at_the_page_does_nothing(ann, bob, operator):
    match = played(sit(ann, bob), "draw")

    for name in ("end", "roll-back", "seat-bot", "fold-again", "open"):
        assert operator.get(f"/admin/games/match/{match.pk}/mend/{name}/").status_code == 200
    assert (now(match).status, Intervention.objects.count()) == ("playing", 0)
    assert not BotError.objects.exists()
