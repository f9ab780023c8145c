// What the page knows of the rules: what a move will look like, and what there is to do.
import { byRank, bySuit, suit } from "../../cards.js";
import { best } from "../../melds.js";

const without = (cards, card) => cards.filter((each) => each !== card);

/** The view after an action of this seat, as far as it can know. */
export function guess(view, action) {
  const { seat, hand, discards } = view;
  const sizes = (more) => view.hand_sizes.map((size, n) => (n === seat ? size + more : size));
  const other = 1 - seat;
  switch (action.type) {
    case "draw_stock": // a card face down, until it is known
      return { ...view, hand: [...hand, null], stock_size: view.stock_size - 1, hand_sizes: sizes(1) };
    case "take_discard": {
      const card = discards.at(-1);
      return { ...view, phase: "discard", hand: [...hand, card], discards: discards.slice(0, -1), hand_sizes: sizes(1) };
    }
    case "discard": {
      const left = without(hand, action.card);
      return { ...view, phase: "draw", turn: other, hand: left, deadwood: best(left).deadwood, banned: null,
               discards: [...discards, action.card], hand_sizes: sizes(-1) };
    }
    case "lay_off": {
      const { card, meld: on } = action;
      const melds = view.showdown.melds.map((meld, n) => (n === on ? inOrder([...meld, card]) : meld));
      const layoffs = [...view.showdown.layoffs, { card, meld: on }];
      return { ...view, hand: without(hand, card), hand_sizes: sizes(-1), showdown: { ...view.showdown, melds, layoffs } };
    }
  }
  return null;
}

const inOrder = (meld) => meld.sort(suit(meld[0]) === suit(meld[1]) ? byRank : bySuit);

const TODO = {
  offer: "The upcard is offered to you: take it or pass.",
  first_draw: "Both passed: draw from the stock.",
  draw: "Your turn: draw a card.",
  discard: "Choose a card to discard.",
  wall: "The stock has run down: take the upcard to knock, or pass.",
  wall_knock: "Knock now.",
  layoff: "Lay cards off on the melds, then press Done.",
};

export function todo(view) {
  if (view.phase === "layoff" && view.legal.length === 1) return "No card of yours fits: press Done.";
  if (view.phase === "layoff" && view.legal.every(({ card }) => !card || best(without(view.hand, card)).deadwood > view.deadwood)) return "What fits is in your own melds: press Done.";
  const knock = view.phase === "discard" && view.legal.some(({ type }) => type === "knock" || type === "big_gin");
  return knock ? "Discard a card, or knock." : TODO[view.phase];
}

/** Where a card comes from that could not be seen before. */
export function origin(card, view) {
  const last = view.turns.at(-1);
  return view.hand?.includes(card) || !last || last.seat === view.seat ? "stock" : `seat-${last.seat}`;
}
