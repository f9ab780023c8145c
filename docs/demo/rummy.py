"""Basic Rummy: its player, and how it is told."""

from melds import RANKS, arrange, grouped, melds_in, points
from page import bold, count, length, padded, row, say, shown
from story import DealStory

STALEMATES = {
    "exhausted": "The stock has run out once too often: nobody scores.",
    "dead": "Nobody could ever go out any more: nobody scores.",
    "idle": "Nobody drew from the stock or tabled a card for too long: nobody scores.",
}


def choose(view, rng):
    """Takes what can be tabled; tables once it can go out, or another is close to it."""
    hand, by_type = frozenset(view["hand"]), {}
    for action in view["legal"]:
        by_type.setdefault(action["type"], []).append(action)
    if "draw_stock" in by_type:
        upcard = view["discards"][-1]
        of_use = any(upcard in meld for meld in melds_in(hand | {upcard}))
        return by_type["take_discard" if of_use or fits(upcard, view["table"]) else "draw_stock"][0]
    melds = arrange(hand)[1]
    loose = [card for card in hand.difference(*melds) if not fits(card, view["table"])]
    others = [size for seat, size in enumerate(view["hand_sizes"]) if seat != view["seat"]]
    if len(loose) < 2 or min(others) < 4:  # till then all stays in hand: going rummy pays double
        for action in by_type.get("meld", []):
            if frozenset(action["cards"]) in melds:
                return action
        if "lay_off" in by_type:
            return by_type["lay_off"][0]
    throws = by_type.get("discard") or view["legal"]  # else what was taken has to be laid off
    return max(throws, key=lambda action: (burden(action.get("card"), hand, melds), rng.random()))


def fits(card, table):
    return any({*meld, card} in melds_in({*meld, card}) for meld in table)


def burden(card, hand, melds):
    """How gladly a card is thrown: for its points, not for what may come of it."""
    if card is None or any(card in meld for meld in melds):
        return -100
    near = [
        other
        for other in hand
        if other[0] == card[0]
        or (other[1] == card[1] and abs(RANKS.index(other[0]) - RANKS.index(card[0])) < 3)
    ]
    return points(card) - 4 * len(near)


class Story(DealStory):
    """A round of turns to a line; a turn that tables cards, or goes out, has one alone."""

    signs = "+ from the stock   ↑ from the discards   − thrown   │ between melds, loose cards last"

    def begin(self, view):
        """A new deal: its header, and our hand as it was dealt."""
        self.turns, self.table, self.tabled, self.drawn = 0, [], [], ""
        self.sizes, dealer = view["hand_sizes"], view["dealer"]
        begins = (dealer + 1) % len(self.names)
        who = f"{self.does(dealer, 'deal')}, {self.does(begins, 'begin')}"
        say(f"{bold(f'Deal {self.deal}')}   {who}")
        say(f"   your hand  {grouped(view['hand'])}   {count(view['points'], 'point')}")
        say(f"   upcard     {shown(view['discards'][-1])}")

    def act(self, version, seat, action, card):
        match action["type"]:
            case "draw_stock":
                self.draw(seat, f"+{shown(card) if card else '··'}")
            case "take_discard":
                self.draw(seat, f"↑{shown(card)}")
            case "meld":
                self.lay("meld", row(action["cards"]), len(action["cards"]))
                self.table.append(action["cards"])
            case "lay_off":
                meld, card = self.table[action["meld"]], action["card"]
                self.lay("lay", f"{shown(card)} on {row(meld)}", 1)
                self.table[action["meld"]] = [*meld, card]
            case "discard":
                self.sizes[seat] -= 1
                self.turn(f"−{shown(action['card'])}")
            case "restock":
                self.end_line()
                say("   The stock has run out: the discards are the new stock.")

    def draw(self, seat, text):
        self.sizes[seat] += 1
        self.seat, self.drawn, self.tabled, self.doing = seat, text, [], None

    def lay(self, verb, cards, size):
        """Cards come to the table; of several melds or lay-offs the first has the verb."""
        self.sizes[self.seat] -= size
        if verb != self.doing:
            self.doing, cards = verb, f"{self.verb(self.seat, verb)} {cards}"
        self.tabled.append(cards)

    def turn(self, thrown=""):
        """A whole turn, at its end."""
        seats = len(self.names)
        first = self.turns % seats == 0
        alone = self.tabled or not self.sizes[self.seat]
        if first or alone or not self.line:
            self.end_line()
            self.write(f"   {self.turns // seats + 1:2}  " if first else " " * 7)
        cell = f"{self.names[self.seat]:{self.wide}} {padded(self.drawn, 4)} {thrown}"
        to_column = (7 - length(self.line)) % (self.wide + 12)
        self.write(" " * to_column + cell.rstrip())
        if alone:
            self.tell_tabled()
        self.turns, self.drawn = self.turns + 1, ""

    def tell_tabled(self):
        """The rest of a turn's line: what was tabled in it, and how many cards are left."""
        column, left = self.wide + 19, self.sizes[self.seat]
        self.to_column(column - 1)
        for words in self.tabled:
            self.write(f" {words},", column)
        self.write(f" {left} left" if left else " out", column)
        self.end_line()

    def settle(self, result):
        """The end of a deal: the table, the hands, the points, the score."""
        if self.drawn:  # who goes out by tabling his last card throws none
            self.turn()
        self.end_line()
        self.show_table(result["table"])
        winner = result["winner"]
        for seat, hand in enumerate(result["hands"]):
            if seat != winner:
                held = f"{self.does(seat, 'hold')}:"
                say(f"   {held} {grouped(hand)}   {count(result['left'][seat], 'point')}")
        say(bold(f"   {self.ending(result)}"))
        self.score(result["points"])
        self.board()

    def show_table(self, melds):
        self.write("   on the table:" if melds else "")
        for number, meld in enumerate(melds, 1):
            self.write(f" {row(meld)}{' │' if number < len(melds) else ''}", 17)
        self.end_line()

    def ending(self, result):
        winner, left = result["winner"], sum(result["left"])
        if winner is None:
            return STALEMATES.get(result["ending"], result["ending"])
        points = result["points"][winner]
        scores = f"{self.verb(winner, 'score')} {points}"
        if result["ending"] == "out":
            return f"{self.does(winner, 'go')} out and {scores}"
        more = "twice" if points == 2 * left else f"{points - left} more than"
        return f"{self.does(winner, 'go')} rummy and {scores}, {more} the points in the other hands"
