// A card: its name in words, its order, and how it looks. Drawn here, no pictures loaded.
import { html } from "./html.js";

export const RANKS = "A23456789TJQK";
export const SUITS = "CDHS";
const RANK_WORDS = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"];
const SUIT_WORDS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };
export const CARD = /^[A2-9TJQK][CDHS]$/;

export const rank = (card) => RANKS.indexOf(card[0]);
export const suit = (card) => SUITS.indexOf(card[1]);
export const points = (card) => Math.min(rank(card) + 1, 10);
export const name = (card) => `${RANK_WORDS[rank(card)]} of ${SUIT_WORDS[card[1]]}`;
const index = (card) => (card[0] === "T" ? "10" : card[0]);
export const short = (card) => index(card) + SIGNS[card[1]];

export const byRank = (a, b) => rank(a) - rank(b) || suit(a) - suit(b);
export const bySuit = (a, b) => suit(a) - suit(b) || rank(a) - rank(b);

const SHAPES = {
  H: "M16 29C7 21.5 2 16 2 10.2A7.2 7.2 0 0 1 16 8.3A7.2 7.2 0 0 1 30 10.2C30 16 25 21.5 16 29Z",
  D: "M16 1.5Q20.5 9.5 28 16Q20.5 22.5 16 30.5Q11.5 22.5 4 16Q11.5 9.5 16 1.5Z",
  S: "M16 1.5C23 9 30 13.5 30 19.7A6.8 6.8 0 0 1 17.7 23.5Q18 28 21.5 30.5H10.5Q14 28 14.3 23.5A6.8 6.8 0 0 1 2 19.7C2 13.5 9 9 16 1.5Z",
  C: "M16 1.5A6.7 6.7 0 0 1 21.7 11.9A6.7 6.7 0 1 1 17.7 22.9Q18 28 21.5 30.5H10.5Q14 28 14.3 22.9A6.7 6.7 0 1 1 10.3 11.9A6.7 6.7 0 0 1 16 1.5Z",
};
const CROWNS = {
  K: "M5 23L2.5 8L9.5 13.5L16 4L22.5 13.5L29.5 8L27 23ZM5 25.5H27V29H5Z",
  Q: "M6 23L3 11.5A2.2 2.2 0 1 1 5.5 11L10.5 15L14.8 8.3A2.4 2.4 0 1 1 17.2 8.3L21.5 15L26.5 11A2.2 2.2 0 1 1 29 11.5L26 23ZM6 25.5H26V29H6Z",
  J: "M5 4Q11 6.5 16 3Q21 6.5 27 4V15Q27 25 16 30Q5 25 5 15ZM16 7.5Q12.5 9.5 9 9.3V15Q9 22 16 25.5Z",
};
const drawing = (path) => html`<svg viewBox="0 0 32 32" aria-hidden="true"><path d=${path} /></svg>`;

/** The face of a card, or its back for null. It is a picture with a name, unless `bare`. */
export function Card({ card, bare, small, marks = "" }) {
  const shape = `card ${small ? "small" : ""} ${marks}`;
  const role = bare ? { "aria-hidden": "true" } : { role: "img", "aria-label": card ? name(card) : "a card face down" };
  if (!card) return html`<span class="${shape} back" ...${role}></span>`;
  const crown = CROWNS[card[0]];
  return html`<span class="${shape} ${card[1]} ${crown ? "court" : ""}" data-card=${card} ...${role}>
    <span class="corner ${card[0] === "T" ? "ten" : ""}"><b>${index(card)}</b>${drawing(SHAPES[card[1]])}</span>
    <span class="middle">${crown && drawing(crown)}${drawing(SHAPES[card[1]])}</span>
  </span>`;
}

export const Suit = ({ suit }) => html`<span class="suit ${suit}">${drawing(SHAPES[suit])}</span>`;

/** Cards side by side, each over the one before. */
export function Row({ cards, label, small, marks }) {
  return html`<span class="row" role=${label ? "group" : undefined} aria-label=${label}>
    ${cards.map((card, n) => html`<${Card} key=${card ?? n} card=${card} small=${small} marks=${marks} />`)}
  </span>`;
}
