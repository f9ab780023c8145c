// What the page knows of the rules: what can be laid, why something cannot, and how a move will look.
import { byRank, bySuit, points, short, suit } from "../../cards.js";
import { melds } from "../../melds.js";

const without = (cards, ...gone) => cards.filter((card) => !gone.includes(card));
const same = (a, b) => a.length === b.length && a.every((card) => b.includes(card));
export const told = (cards) => cards.map(short).join(" ");
export const related = (a, b) => a[0] === b[0] || a[1] === b[1]; // in rank or suit: one meld may have them
export const isMeld = (cards) => melds(cards).some((meld) => meld.length === cards.length);

export const meldAction = (view, cards) => view.legal.find((action) => action.type === "meld" && same(action.cards, cards));
export const layOffs = (view, card) => view.legal.filter((action) => action.type === "lay_off" && action.card === card);
const drawFirst = (view) => view.phase === "draw" && "Draw a card first.";

export function whyNoMeld(view, cards) {
  const { max_melds_per_turn: most } = view.options;
  if (drawFirst(view)) return drawFirst(view);
  if (cards.length < 3) return "A meld has three cards or more: choose them all.";
  if (!isMeld(cards)) return `${told(cards)} is neither a set nor a run.`;
  return cards.length < view.hand.length && most ? `At most ${most} of your melds may be laid in one turn.` : keep;
}

const keep = "Keep a card: in this match one goes out with a discard.";

export function whyNoLayOff(view, card, meld) {
  if (drawFirst(view)) return drawFirst(view);
  if (!isMeld([...view.table[meld], card])) return `${short(card)} does not fit ${told(view.table[meld])}.`;
  const early = view.options.layoff_needs_meld && !view.melds_laid[view.seat];
  return early ? "Lay a meld of your own before you lay cards off." : keep;
}

export function whyNoDiscard(view, card) {
  return drawFirst(view) || (card === view.banned ? `${short(card)} was taken this turn and may not be discarded in it.` : "That cannot be discarded now.");
}

/** The view after an action of this seat, as far as it can know. */
export function guess(view, action) {
  const { seat, hand, table } = view;
  const sizes = (more) => view.hand_sizes.map((size, n) => (n === seat ? size + more : size));
  const left = (...gone) => {
    const cards = without(hand, ...gone);
    return { hand: cards, hand_sizes: sizes(-gone.length), points: cards.reduce((sum, card) => sum + points(card), 0) };
  };
  switch (action.type) {
    case "draw_stock": // a card face down, until it is known
      return { ...view, phase: "meld", hand: [...hand, null], stock_size: view.stock_size - 1, hand_sizes: sizes(1) };
    case "take_discard": {
      const card = view.discards.at(-1);
      return { ...view, phase: "meld", hand: [...hand, card], drawn: card, banned: card, hand_sizes: sizes(1), points: view.points + points(card),
               discards: view.discards.slice(0, -1), pile_size: view.pile_size - 1 };
    }
    case "meld":
      return { ...view, ...left(...action.cards), table: [...table, action.cards] };
    case "lay_off":
      return { ...view, ...left(action.card), table: table.map((meld, n) => (n === action.meld ? inOrder([...meld, action.card]) : meld)) };
    case "discard": // the last card goes face down
      if (hand.length === 1) return null;
      return { ...view, ...left(action.card), phase: "draw", turn: (seat + 1) % view.hand_sizes.length, drawn: null, banned: null,
               discards: [...(view.options.show_discards ? view.discards : []), action.card], pile_size: view.pile_size + 1 };
  }
  return null;
}

export const inOrder = (meld) => meld.sort(suit(meld[0]) === suit(meld[1]) ? byRank : bySuit);

export function todo(view) {
  if (view.phase === "draw") return "Your turn: draw a card.";
  const lay = view.legal.some(({ type }) => type !== "discard");
  return lay ? "Lay cards, or discard one." : "Discard a card.";
}

/** Where a card comes from that could not be seen before. */
export function origin(card, view) {
  if (view.hand?.includes(card)) return "stock";
  const { seat, action } = view.last ?? {};
  return [action?.card, ...(action?.cards ?? [])].includes(card) ? `seat-${seat}` : null;
}
