"""The melds that the page finds, against those recorded for the engine."""

import json
from pathlib import Path

HANDS = Path(__file__).resolve().parents[2] / "data/gin_deadwood.jsonl"
FIND = """async (hands) => {
  const {best} = await import("/static/client/melds.js");
  return hands.map((hand) => best(hand).deadwood);
}"""


def test_the_page_counts_deadwood_as_the_engine_does(visit):
    page = visit()
    hands = [json.loads(line) for line in HANDS.read_text().splitlines()]

    found = page.evaluate(FIND, [hand["cards"] for hand in hands])
    assert len(hands) == 3000
    assert found == [hand.get("deadwood", hand.get("deadwood_all11")) for hand in hands]
