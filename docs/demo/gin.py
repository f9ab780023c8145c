"""Gin Rummy: its player, and how it is told."""

from melds import arrange, grouped, melds_in, points
from page import bold, length, row, say, shown
from story import DealStory

ENDINGS = {
    "knock": "by the difference",
    "undercut": "by an undercut",
    "tie": "Equal deadwood: nobody scores.",
    "gin": "by gin",
    "big_gin": "by big gin",
    "wall": "The stock has run down: nobody scores.",
    "idle": "Nobody drew from the stock for too long: nobody scores.",
}


def deadwood(hand):
    return arrange(frozenset(hand))[0]


def choose(view, rng):
    """Takes what completes a meld, keeps least deadwood, knocks as soon as it may."""
    legal, hand = view["legal"], set(view["hand"])
    by_type = {}
    for action in legal:
        if "melds" not in action:  # the service lays the best melds of a knock by itself
            by_type.setdefault(action["type"], []).append(action)

    def left(action):
        """Deadwood after it; among equals the dearest card goes, then any."""
        return deadwood(hand - {action["card"]}), -points(action["card"]), rng.random()

    if "finish_layoffs" in by_type:
        best = min(by_type.get("lay_off", []), key=left, default=None)
        return best if best and left(best)[0] < deadwood(hand) else legal[-1]
    if "take_discard" in by_type:
        upcard = view["discards"][-1]
        if view["phase"] == "wall" or any(upcard in meld for meld in melds_in(hand | {upcard})):
            return by_type["take_discard"][0]
    for kind in ("draw_stock", "pass", "big_gin"):
        if kind in by_type:
            return by_type[kind][0]
    return min(by_type.get("knock") or by_type["discard"], key=left)


class Story(DealStory):
    """Two turns to a line, then what a knock lays down, and points."""

    signs = "+ from the stock   ↑ the upcard taken   − thrown   │ between melds, loose cards last"

    def begin(self, view):
        """A new deal: its header, and our hand as it was dealt."""
        self.turns = 0
        dealer, limit = view["dealer"], view["knock_limit"]
        who = f"{self.does(dealer, 'deal')}, {self.does(1 - dealer, 'begin')}"
        rule = f"knock with {limit} or less" if limit else "gin only"
        double = ", all points double" if view["doubled"] else ""
        say(f"{bold(f'Deal {self.deal}')}   {who}")
        say(f"   your hand  {grouped(view['hand'])}   deadwood {view['deadwood']}")
        say(f"   upcard     {shown(view['discards'][-1])}   {rule}{double}")

    def act(self, version, seat, action, card):
        match action["type"]:
            case "draw_stock":
                self.turn(seat, f"+{shown(card) if card else '··'}")
            case "take_discard":
                self.turn(seat, f"↑{shown(card)}")
            case "pass":
                self.turn(seat, "pass")
            case "discard":
                self.write(f"{self.gap}−{shown(action['card'])}")
            case "knock":
                self.write(f"{self.gap}−{shown(action['card'])}")
                self.lay(version, f"{self.does(seat, 'knock')}:")
            case "big_gin":
                self.lay(version, f"{self.does(seat, 'declare')} big gin:")
            case "lay_off":
                grown = row(self.view_at(version)["showdown"]["melds"][action["meld"]])
                say(f"   {self.does(seat, 'lay')} {shown(action['card'])} off: {grown}")

    def turn(self, seat, text):
        """A turn begins: the first of a line, or the second."""
        if self.turns % 2:
            self.to_column(self.wide + 20)
        else:
            self.end_line()
            self.write(f"   {self.turns // 2 + 1:2}  ")
        self.write(f"{self.names[seat]:{self.wide}} {text}")
        self.gap = " " * (5 - length(text))  # only before a discard: a big gin has none
        self.turns += 1

    def lay(self, version, words):
        """What a knocker lays down, his loose cards last."""
        self.end_line()
        laid = self.view_at(version)["showdown"]
        cards = [card for meld in laid["melds"] for card in meld] + laid["loose"]
        self.hold(words, grouped(cards, laid["melds"]), laid["deadwood"])

    def hold(self, words, hand, deadwood):
        say(f"   {words} {hand}   deadwood {deadwood}")

    def settle(self, result):
        """The end of a deal: the hands not yet shown, the points, the score."""
        self.end_line()
        points, knocker = result["points"], result["knocker"]
        for seat in range(2):
            if seat != knocker:
                melds = result["melds"][seat] if knocker is not None else None
                hand = grouped(result["hands"][seat], melds)
                self.hold(f"{self.does(seat, 'hold')}:", hand, result["deadwood"][seat])
        words = ENDINGS.get(result["ending"], result["ending"])
        if any(points):
            scorer = points.index(max(points))
            words = f"{self.does(scorer, 'score')} {points[scorer]} {words}"
        say(bold(f"   {words}"))
        self.score(points)
        self.board()

    def close(self, match):
        super().close(match)
        bonuses = match["view"]["bonuses"]
        if any(bonuses):
            say()
            say(f"Bonuses at the end of the match: {bonuses[0]} : {bonuses[1]}")
            self.scores = match["view"]["scores"]
            self.board()
