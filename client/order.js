// In which order the cards of a hand lie: by melds, by suit or rank, or as the player put them.
import { byRank, bySuit, suit } from "./cards.js";
import { html, useState } from "./html.js";
import { best } from "./melds.js";

const WAYS = { melds: "by melds", suit: "by suit", rank: "by rank", own: "my order" };

export function useOrder() {
  const [way, set] = useState("melds");
  const [own, keep] = useState([]);
  const move = (cards, card, place) => {
    const rest = cards.filter((each) => each !== card);
    keep([...rest.slice(0, place), card, ...rest.slice(place)]);
    set("own");
  };
  return { way, own, set, move };
}

/** {cards, meldOf}: the hand from left to right, and the number of the meld of each card in one. */
export function arranged(hand, { way, own }, drawn) {
  const { melds, loose } = best(hand.filter(Boolean));
  const meldOf = Object.fromEntries(melds.flatMap((meld, n) => meld.map((card) => [card, n])));
  const hidden = hand.filter((card) => !card);
  return { cards: [...sorted(), ...hidden], meldOf };

  function sorted() {
    const cards = hand.filter(Boolean);
    if (way === "suit") return cards.sort(bySuit);
    if (way === "rank") return cards.sort(byRank);
    if (way === "melds") return byMelds({ melds, loose });
    const kept = own.filter((card) => cards.includes(card));
    return [...kept, ...cards.filter((card) => !kept.includes(card))];
  }
}

const byMelds = ({ melds, loose }) => [...melds.flatMap(inOrder), ...loose.sort(byRank)];
/** A hand that lies open, as its player first has it. */
export const sortedByMelds = (cards) => byMelds(best([...cards]));
const inOrder = (meld) => [...meld].sort(suit(meld[0]) === suit(meld[1]) ? byRank : bySuit);

export function Sorting({ order }) {
  return html`<label class="sorting"><span class="sr">Hand sorted by</span>
    <select value=${order.way} onChange=${(event) => order.set(event.target.value)}>
      ${Object.entries(WAYS).map(([way, words]) => html`<option key=${way} value=${way}>${words}</option>`)}
    </select></label>`;
}
