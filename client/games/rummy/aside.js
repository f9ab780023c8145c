// Melds and lay-offs that the player has set aside: laid one by one or all at once, or taken back.
import { Row } from "../../cards.js";
import { html, useEffect, useState } from "../../html.js";
import { isMeld, told } from "./rules.js";

/**
 * Nothing of it is sent yet, and it is forgotten with the turn. A bundle is {cards, meld}: a new meld,
 * or what goes to the meld of that number. What has left the hand is in none any more.
 */
export function useAside(view, laying) {
  const [kept, keep] = useState([]);
  useEffect(() => keep([]), [laying, view.deal]);
  const inHand = (bundle) => ({ ...bundle, cards: bundle.cards.filter((card) => view.hand.includes(card)) });
  const whole = ({ meld, cards }, n) => (meld === null ? cards.length === kept[n].cards.length : cards.length > 0);
  const bundles = laying ? kept.map(inHand).filter(whole) : [];

  function put(cards, meld = null) {
    const before = meld === null ? null : bundles.find((bundle) => bundle.meld === meld);
    const bundle = { meld, cards: [...(before?.cards ?? []), ...cards] };
    keep([...bundles.filter((each) => each !== before), bundle]);
  }
  /** Whether cards go with a meld as it will be then. */
  function fits(table, cards, meld) {
    const before = bundles.find((bundle) => bundle.meld === meld);
    return isMeld([...table[meld], ...(before?.cards ?? []), ...cards]);
  }
  return { bundles, cards: bundles.flatMap(({ cards }) => cards), put, fits, back: (which) => keep(bundles.filter((each) => each !== which)) };
}

export function Aside({ bundles, onLay, onBack }) {
  return bundles.map((bundle) => {
    const words = told(bundle.cards) + (bundle.meld === null ? "" : ` on meld ${bundle.meld + 1}`);
    return html`<div class="aside" role="group" aria-label="Set aside: ${words}" key=${bundle.cards[0]}>
      <span class="no">${bundle.meld === null ? "set aside" : `for meld ${bundle.meld + 1}`}</span><${Row} cards=${bundle.cards} small />
      <span class="controls"><button type="button" class="button" aria-label="Lay ${words}" onClick=${() => onLay(bundle)}>Lay</button>
        <button type="button" class="button" aria-label="Take ${words} back" onClick=${() => onBack(bundle)}>✕</button></span></div>`;
  });
}
