// What the page knows of the rules: which cards are open, what fits, and how a move will look.
import { name, rank, RANKS, short } from "../../cards.js";

export const ROWS = 7;
export const rowOf = (place) => Math.floor((Math.sqrt(8 * place + 1) - 1) / 2);
const value = (card) => rank(card) + 1;

/** The cards that lie on a place of the pyramid. */
export function coverers(view, place) {
  const row = rowOf(place);
  if (row === ROWS - 1) return [];
  return [place + row + 1, place + row + 2].map((above) => view.pyramid[above]).filter(Boolean);
}

/** The cards that may be chosen: nothing lies on them, or the referee lists them all the same. */
export function openCards(view) {
  const free = view.pyramid.filter((card, place) => card && !coverers(view, place).length);
  const listed = view.legal.flatMap(({ cards = [] }) => cards);
  return new Set([...free, view.draw[0], view.waste.at(-1), ...listed].filter(Boolean));
}

export const removal = (view, ...cards) =>
  view.legal.find((action) => action.cards?.length === cards.length && cards.every((card) => action.cards.includes(card)));

/** The rank that makes 13 with a card: "an 8". */
export function partner(card) {
  const word = name(`${RANKS[12 - value(card)]}C`).split(" ")[0];
  return `${/^[a8]/.test(word) ? "an" : "a"} ${word}`;
}

export function unfit(card, other) {
  return `${short(card)} and ${short(other)} make ${value(card) + value(other)}, not 13.`;
}

export function whyClosed(view, card) {
  const above = coverers(view, view.pyramid.indexOf(card)).map(short);
  return `${short(card)} is covered by ${above.join(" and ")}.`;
}

export function refusal(view, type) {
  return {
    draw: "The draw pile is empty.",
    redeal: view.draw.length ? "The waste is turned over once the draw pile is empty." : view.redeals_left ? "There is nothing to turn over." : "All redeals of this round are used.",
    next_round: "The next round comes once the pyramid is cleared and the draw pile is empty.",
    undo: "There is nothing to take back.",
  }[type];
}

/** The view after an action, as far as one can know. */
export function guess(view, action) {
  switch (action.type) {
    case "draw":
      return { ...view, draw: view.draw.slice(1), waste: [...view.waste, view.draw[0]] };
    case "redeal":
      return { ...view, draw: view.waste, waste: [], redeals_left: view.redeals_left - 1 };
    case "remove":
      return removed(view, action.cards);
  }
  return null;
}

function removed(view, cards) {
  const stays = (card) => !cards.includes(card);
  const pyramid = view.pyramid.map((card) => (stays(card) ? card : null));
  const cleared = view.pyramid.some(Boolean) && !pyramid.some(Boolean);
  const points = 10 * cards.length + (cleared ? bonus(view) : 0);
  return { ...view, pyramid, draw: view.draw.filter(stays), waste: view.waste.filter(stays), removed: [...view.removed, ...cards],
           points: view.points + points, scores: [view.scores[0] + points] };
}

export const bonus = (view) => 100 * view.deal;

/** A removal with which nothing else is left to do. */
export function lastMove(view) {
  const moves = view.legal.filter(({ type }) => type !== "undo");
  return moves.length === 1 && moves[0].type === "remove" ? moves[0] : null;
}

export function todo(view) {
  const last = lastMove(view);
  if (last) return `One move is left: remove ${last.cards.map(short).join(" and ")}.`;
  const may = (type) => view.legal.some((action) => action.type === type);
  if (view.phase === "cleared") {
    if (may("next_round")) return view.legal.length > 1 ? "Cleared! Play on for points, or go on to the next round." : "Cleared! Go on to the next round.";
    return "Cleared! Draw on for points; the next round comes when the pile is empty.";
  }
  if (may("remove") || may("draw")) return "Remove pairs of 13, or a king.";
  return may("redeal") ? "Turn the waste over and draw on." : "Nothing is left but to take a move back.";
}

/** The removed cards as they went: in pairs, kings alone. */
export function pairs(cards) {
  const found = [];
  for (let n = 0; n < cards.length; n++) found.push(cards[n][0] === "K" ? [cards[n]] : [cards[n], cards[++n]]);
  return found;
}
