"""A game's table without a service: the page shows the engine's own views of a scripted match."""

from dataclasses import dataclass, field
from typing import Any

import msgspec

from games.engine.game import Game, parse, play

SHOW = """async ({view, you, seats}) => {
  const {html, render, styles} = await import("/static/client/html.js");
  const game = await import(`/static/client/games/${document.body.dataset.game}.js`);
  await Promise.all(game.styleSheets.map(styles));
  const root = document.createElement("main");
  root.className = "felt";
  document.body.replaceChildren(root);
  window.told = [];
  window.misguessed = [];
  const SHOWN = ["turn", "table", "hand_sizes", "stock_size", "pile_size", "pyramid", "waste",
                 "removed", "scores", "redeals_left"];
  const store = {view};
  const log = [];
  const match = {you, status: "playing", seats, options: {}};
  const table = {match, store, log, you, busy: false, name: (seat) => `seat ${seat}`,
                 refuse: (words) => window.told.push(words)};
  const show = () => render(
    html`<${game.Board} ...${table} view=${store.view} play=${playIt} />`, root);
  async function playIt(action) {
    const before = store.view;
    const guess = game.guess(before, action) ?? {};
    store.view = await window.played(action);
    log.push({last: {seat: you, action}});
    const sorted = (name, value) => JSON.stringify(name === "hand" ? [...value].sort() : value);
    for (const [name, value] of Object.entries(guess)) {
      const [guessed, right] = [sorted(name, value), sorted(name, store.view[name])];
      const told = SHOWN.includes(name) || guessed !== sorted(name, before[name]);
      const unknown = ["hand", "draw"].includes(name) && guessed.includes("null");
      const wrong = told && !unknown && guessed !== right;
      if (wrong) window.misguessed.push([action.type, name, guessed, right]);
    }
    show();
    return true;
  }
  show();
}"""


@dataclass
class Scripted:
    """The table as `seat` sees it (None: a spectator); what it plays is kept in `actions`."""

    page: Any
    game: Game
    state: Any
    seat: int | None = 0
    actions: list[Any] = field(default_factory=list)

    def show(self) -> None:
        self.page.evaluate("game => { document.body.dataset.game = game; }", self.name)
        self.page.expose_function("played", self.played)
        seats = [{"number": n, "player": "ann"} for n in range(len(self.state.scores))]
        self.page.evaluate(SHOW, {"view": self.view, "you": self.seat, "seats": seats})

    @property
    def name(self) -> str:
        return self.game.__name__.rpartition(".")[2]

    @property
    def view(self) -> Any:
        return msgspec.to_builtins(self.game.view(self.state, self.seat))

    @property
    def told(self) -> list[str]:
        return list(self.page.evaluate("window.told"))

    @property
    def misguessed(self) -> list[Any]:
        """What the page showed at once, but the engine then said otherwise."""
        return list(self.page.evaluate("window.misguessed"))

    def played(self, action: Any) -> Any:
        self.actions.append(action)
        self.state = play(self.game, self.state, self.seat, parse(self.game, action))
        return self.view
