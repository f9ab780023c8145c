"""Whole matches by HTTP, with bots on real workers."""

import json
from concurrent.futures import ThreadPoolExecutor

from tests.e2e.players import look, new_match, play_out, wait_for_turn
from tests.processes import eventually


def test_a_guest_plays_a_match_against_a_bot_and_the_log_proves_it(service):
    token = service.guest()
    match = play_out(service, token, new_match(service, token))
    assert match["status"] == "finished"
    assert max(seat["score"] for seat in match["seats"]) >= 100
    proof = service.manage("verify_logs", "--match", match["id"])
    assert proof.returncode == 0, proof.stderr
    assert proof.stdout.startswith("1 matches verified, no difference")


def test_a_match_of_bots_only_runs_by_itself(service):
    token = service.guest()
    match = new_match(service, token, seats=[{"bot": "easy"}, {"bot": "random"}])
    finished = eventually(
        lambda: (seen := look(service, token, match))["status"] == "finished" and seen
    )
    assert [seat["place"] for seat in finished["seats"]].count(1) == 1


def test_a_bot_s_line_in_the_log_has_the_request_id_of_the_move_before_it(service):
    token = service.guest()
    match = wait_for_turn(service, token, new_match(service, token))
    action = match["view"]["legal"][0]
    for name in ("draw-1", "throw-1"):
        move = {"version": match["version"], "action": action}
        path = f"/api/v1/matches/{match['id']}/moves"
        status, match = service.call("POST", path, move, token, **{"X-Request-ID": name})
        assert status == 201, match
        action = match["view"]["legal"] and match["view"]["legal"][0]
    wait_for_turn(service, token, match)

    def lines():
        told = [json.loads(line) for line in service.log.splitlines() if line.startswith("{")]
        return [line for line in told if line.get("request_id") == "throw-1"]

    events = eventually(lambda: len(lines()) > 1 and [line["event"] for line in lines()])
    assert sorted(events)[0] == "bot_turn"
    assert events.count("request_finished") == 1


def test_twenty_matches_at_once_on_two_web_and_two_worker_processes(start_service):
    service = start_service(WEB_PROCESSES="2", WORKER_PROCESSES="2")

    def play(_):
        token = service.guest()
        return play_out(service, token, new_match(service, token, options={"target": 30}))

    with ThreadPoolExecutor(20) as pool:
        matches = list(pool.map(play, range(20)))
    assert {match["status"] for match in matches} == {"finished"}
    assert service.manage("verify_logs").stdout.startswith("20 matches verified, no difference")
    assert '"level": "error"' not in service.log
