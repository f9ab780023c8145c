"""Pyramid: its player, and how it is told."""

from itertools import zip_longest

from page import bar, bold, count, length, padded, paint, say, shown
from service import BASE
from story import DealStory

ROWS = [range(r * (r + 1) // 2, (r + 1) * (r + 2) // 2) for r in range(7)]
COVERERS = [
    [i + r + 1, i + r + 2] if r < 6 else [] for r, places in enumerate(ROWS) for i in places
]
PLACES = 28


def choose(view, rng):
    """A king first, then what does most for the pyramid; two cards of the piles only if it must."""

    def worth(removal):
        left = [None if card in removal["cards"] else card for card in view["pyramid"]]
        opened = sum(
            card is not None and not any(left[place] for place in over)
            for card, over in zip(left, COVERERS, strict=True)
        )
        return len(removal["cards"]) == 1, left.count(None), opened, rng.random()

    removals = [action for action in view["legal"] if action["type"] == "remove"]
    others = [action for action in view["legal"] if action["type"] != "remove"]
    useful = [r for r in removals if len(r["cards"]) == 1 or {*r["cards"]} & {*view["pyramid"]}]
    if view["phase"] == "cleared":
        useful = removals
    return max(useful, key=worth, default=(others or removals)[0])


class Story(DealStory):
    """The pyramid at the start of each pass, what is drawn and removed in it, and the score."""

    guest = False  # whose scores cannot be posted
    signs = "↓7♥ drawn to the waste   4♣+9♦ a pair removed   K♠ a king removed   · a card gone"
    unit = "round"

    def begin(self, view):
        say(bold(f"Round {self.deal}"))
        self.standing, self.passes = {*view["pyramid"]}, 0
        self.begin_pass(view)

    def begin_pass(self, view):
        self.passes += 1
        self.show(view)
        self.write(f"   pass {self.passes}  ")

    def act(self, version, seat, action, card):
        match action["type"]:
            case "draw":
                self.add(f"↓{shown(card)}")
            case "remove":
                self.add("+".join(map(shown, action["cards"])))
                self.remove({*action["cards"]})
            case "redeal":
                self.end_line()
                self.begin_pass(self.view_at(version))

    def add(self, text):
        if not self.line:
            self.write(" " * 10)
        self.write(f" {text}", 11)

    def remove(self, cards):
        cleared = self.standing and self.standing <= cards
        self.standing -= cards
        if cleared:
            self.end_line()
            say(bold("   The pyramid is cleared."))

    def show(self, view):
        """The pyramid as it lies, and beside it the piles."""
        draw, waste = view["draw"], view["waste"]
        beside = [
            f"draw pile     {len(draw):4}" + (f"   {shown(draw[0])} on top" if draw else ""),
            f"waste         {len(waste):4}" + (f"   {shown(waste[-1])} on top" if waste else ""),
            f"redeals left  {view['redeals_left']:4}",
            f"score         {view['scores'][0]:4}",
        ]
        for places, note in zip_longest(ROWS, beside, fillvalue=""):
            cards = [view["pyramid"][place] for place in places]
            cells = [shown(card) if card else paint("·", 2) for card in cards]
            line = " " * (3 + 2 * (7 - len(cells)))
            line += " ".join(" " * (3 - length(cell)) + cell for cell in cells)
            say(f"{padded(line, 38)}{note}".rstrip())

    def settle(self, result):
        """The end of a round: what still stands, the points, the score."""
        self.end_line()
        if result["left"]:
            say("   Nothing is left to do:")
            self.show(self.view_at(self.version))
        gone = PLACES - result["left"]
        say(f"   pyramid   {bar(gone, PLACES)}  {gone} of {PLACES} cards gone")
        points, bonus = result["points"][0], result["bonus"]
        self.score([points])
        words = f"{points - bonus} points for {result['removed']} cards"
        words += f", {bonus} for the pyramid" if bonus else ""
        say(bold(f"   {words}: score {self.scores[0]}"))

    def finish(self, match):
        """Posts the score; the last line tells its rank."""
        posted = self.service.call("POST", f"{self.path}/score")
        me = match["seats"][0]["player"]
        say(bold(f"The score is posted. The top ten of {posted['day']} (UTC):"))
        for line in posted["top"] or []:
            mark = "▸" if line["player"] == me else " "
            say(f"  {mark}{line['rank']:3}  {line['value']:5}  {line['player']}")
        if not posted["top"]:
            say(f"   this one is not among them; the best of all: {BASE}{posted['leaderboard']}")
        say()
        rounds = count(match["deal"]["number"], "round")
        return f"{me} scores {posted['points']} in {rounds}: rank {posted['rank']} of the day."
