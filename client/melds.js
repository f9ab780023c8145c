// Sets and runs among cards, and which of them leave least deadwood. The ace is low.
import { points, rank, suit } from "./cards.js";

const total = (cards) => cards.reduce((sum, card) => sum + points(card), 0);

/** Every set and run of three or more that the cards hold. */
export function melds(cards) {
  return [...sets(cards), ...runs(cards)];
}

function sets(cards) {
  const found = [];
  for (const card of cards.filter((each, n) => cards.findIndex((other) => rank(other) === rank(each)) === n)) {
    const same = cards.filter((each) => rank(each) === rank(card));
    if (same.length >= 3) found.push(same);
    if (same.length === 4) found.push(...same.map((left) => same.filter((each) => each !== left)));
  }
  return found;
}

function runs(cards) {
  const held = new Set(cards);
  const at = (card, steps) => cards.find((each) => suit(each) === suit(card) && rank(each) === rank(card) + steps);
  const found = [];
  for (const first of held) {
    const run = [first];
    for (let next = at(first, 1); next; next = at(first, run.length)) {
      run.push(next);
      if (run.length >= 3) found.push([...run]);
    }
  }
  return found;
}

/** {melds, loose, deadwood}: an arrangement that leaves the least. */
export function best(cards) {
  let least = { melds: [], loose: cards, deadwood: total(cards) };
  const candidates = melds(cards);
  (function search(from, chosen, left) {
    const deadwood = total(left);
    if (deadwood < least.deadwood) least = { melds: chosen, loose: left, deadwood };
    for (let n = from; n < candidates.length; n++) {
      const meld = candidates[n];
      if (meld.every((card) => left.includes(card))) {
        search(n + 1, [...chosen, meld], left.filter((card) => !meld.includes(card)));
      }
    }
  })(0, [], cards);
  return least;
}
