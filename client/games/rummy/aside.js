// Melds and lay-offs that the player has set aside: laid one by one or all at once, or taken back.
import { Row } from "../../cards.js";
import { html, useEffect, useState } from "../../html.js";
import { inOrder, isMeld, told } from "./rules.js";

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

  /** Cards join a bundle; without one they are a new meld. */
  function put(cards, before = { meld: null, cards: [] }) {
    const all = [...before.cards, ...cards];
    const bundle = { meld: before.meld, cards: before.meld === null ? inOrder(all) : all };
    keep([...bundles.filter((each) => each !== before), bundle]);
  }
  /** What is set aside for a meld on the table, if only nothing. */
  const forMeld = (meld) => bundles.find((bundle) => bundle.meld === meld) ?? { meld, cards: [] };
  /** Whether cards go with a bundle, and with its meld on the table. */
  const fits = (table, cards, bundle) => isMeld([...(table[bundle.meld] ?? []), ...bundle.cards, ...cards]);
  /** The bundles, on the table or aside, that cards go with. */
  function homes(table, cards) {
    const all = [...table.map((_, meld) => forMeld(meld)), ...bundles.filter(({ meld }) => meld === null)];
    return cards.length ? all.filter((bundle) => fits(table, cards, bundle)) : [];
  }
  const back = (which) => keep(bundles.filter((each) => each !== which));
  return { bundles, cards: bundles.flatMap(({ cards }) => cards), put, forMeld, fits, homes, back };
}

export function Aside({ bundles, onLay, onBack }) {
  return bundles.map((bundle, n) => {
    const words = told(bundle.cards) + (bundle.meld === null ? "" : ` on meld ${bundle.meld + 1}`);
    return html`<div class="aside" data-drop="aside-${n}" role="group" aria-label="Set aside: ${words}" key=${bundle.cards[0]}>
      <span class="no">${bundle.meld === null ? "laid when you discard" : `for meld ${bundle.meld + 1}`}</span><${Row} cards=${bundle.cards} />
      <span class="controls"><button type="button" class="button" aria-label="Lay ${words}" onClick=${() => onLay(bundle)}>Lay</button>
        <button type="button" class="button" aria-label="Take ${words} back" onClick=${() => onBack(bundle)}>✕</button></span></div>`;
  });
}
