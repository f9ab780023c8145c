// The melds on the table: each takes cards that fit; and the place where a new one is laid.
import { name as nameOf, Row } from "../../cards.js";
import { html } from "../../html.js";
import { sentence } from "../../words.js";
import { isMeld, related, told } from "./rules.js";

/** `fits(n)`: whether what is chosen can be laid off on meld n. `by(meld)`: the name of who has laid it, if that is known. */
export function Melds({ table, fits, by, chosen, onMeld }) {
  return table.map((meld, n) => {
    const title = `meld ${n + 1}${by(meld) ? `, ${by(meld)}` : ""}`;
    return html`<button type="button" key=${n} class="meld ${fits(n) ? "fits" : ""}" data-drop="meld-${n}" aria-disabled=${!fits(n)}
      onClick=${() => onMeld(n)} aria-label="${sentence(title)}: ${meld.map(nameOf).join(", ")}${fits(n) ? `. Lay ${chosen.map(nameOf).join(", ")} off here` : ""}">
      <span class="no" aria-hidden="true">${title}</span><${Row} cards=${meld} /></button>`;
  });
}

/** The seat that has laid a meld, by the log of this deal; undefined if the log does not go back so far. */
export function laidBy(log, meld) {
  const dealt = log.findLastIndex(({ last }) => last.action.type === "deal");
  return log.slice(dealt + 1).findLast(({ last }) => last.action.type === "meld" && meld.includes(last.action.cards[0]))?.last.seat;
}

/** `possible`: melds of the hand that can be laid now. `onLay(cards)`. */
export function NewMeld({ chosen, action, possible, onLay }) {
  const some = chosen.length > 1;
  const [first, second] = chosen;
  const more = chosen.length === 1 ? "and two more?" : chosen.length === 2 && related(first, second) && "and more?";
  return html`<div class="new-meld ${action ? "ready" : ""}" data-drop="new" role="group" aria-label="New meld" onClick=${action && (() => onLay(chosen))}>
    ${action && html`<button type="button" class="button main">Lay ${told(action.cards)}</button>`}
    ${!action && some && html`<b>${told(chosen)}</b><small>${isMeld(chosen) ? "cannot be laid now" : more || "is no meld"}</small>`}
    ${!some && possible.length > 0 && possible.map((meld) => html`<button type="button" class="button" key=${meld[0]} onClick=${() => onLay(meld)}>Lay ${told(meld)}</button>`)}
    ${!some && !possible.length && (first ? html`<b>${told(chosen)}</b><small>${more}</small>` : html`<small>Choose or drop cards here for a new meld</small>`)}
  </div>`;
}
