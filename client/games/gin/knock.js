// Before a knock: which card goes, and which melds are laid. The referee's own choice comes first.
import { post, query } from "../../api.js";
import { points, Row, short } from "../../cards.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../html.js";

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export function Knock({ knocks, card, hand, match, store, onCard, onClose, play }) {
  const dialog = useRef(null);
  const named = knocks.filter((action) => action.card === card && action.melds);
  const advised = useAdvice(store, match, card);
  const [picked, pick] = useState(null);
  const ways = named.map((action) => ({ action, loose: loose(hand, action) }));
  ways.sort((a, b) => total(a.loose) - total(b.loose) || same(b.action.melds, advised) - same(a.action.melds, advised));
  const now = ways.find(({ action }) => same(action.melds, picked)) ?? ways.find(({ action }) => same(action.melds, advised)) ?? ways[0];
  const cards = [...new Set(knocks.map((action) => action.card))];
  useLayoutEffect(() => dialog.current.showModal(), []);
  useEffect(() => pick(null), [card]);
  return html`<dialog ref=${dialog} class="knocking" aria-labelledby="knock-title" onClose=${onClose}>
    <h2 id="knock-title">${total(now.loose) === 0 ? "Gin!" : `Knock with ${total(now.loose)}`}</h2>
    <label>Discard <select value=${card} onChange=${(event) => onCard(event.target.value)}>
      ${cards.map((each) => html`<option key=${each} value=${each}>${short(each)}</option>`)}</select></label>
    <fieldset class="arrangements"><legend>${ways.length > 1 ? "Lay these melds" : "These melds are laid"}</legend>
      ${ways.map(({ action, loose }, n) => html`<label key=${JSON.stringify(action.melds)} class="arrangement">
        <input type="radio" name="melds" checked=${now.action === action} onChange=${() => pick(action.melds)} aria-label="Arrangement ${n + 1}" />
        <span class="melds">${action.melds.map((meld) => html`<${Row} key=${meld[0]} cards=${meld} small />`)}
          ${loose.length > 0 && html`<span class="loose"><${Row} cards=${loose} small /></span>`}</span>
        <span class="soft">${total(loose)} deadwood</span></label>`)}
    </fieldset>
    <div class="controls"><button type="button" class="button" onClick=${() => dialog.current.close()}>Not yet</button>
      <button type="button" class="button main" autofocus onClick=${() => play(now.action)}>${total(now.loose) === 0 ? "Go gin" : `Knock with ${total(now.loose)}`}</button></div>
  </dialog>`;
}

const loose = (hand, { card, melds }) => hand.filter((each) => each !== card && !melds.flat().includes(each));
const total = (cards) => cards.reduce((sum, card) => sum + points(card), 0);

/** The melds that the referee would lay: on which least of what may be out fits. */
function useAdvice(store, match, card) {
  const [advised, set] = useState(null);
  useEffect(() => {
    const asked = { version: store.version, action: { type: "knock", card } };
    post(`/matches/${match.id}/moves${query({ dry_run: true })}`, asked).then(({ foresight }) => set(foresight.melds), () => {});
  }, [card]);
  return advised;
}
