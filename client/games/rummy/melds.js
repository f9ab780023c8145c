// The melds on the table: each takes cards that fit; and the place where a new one is laid.
import { name as nameOf, Row, short } from "../../cards.js";
import { html } from "../../html.js";
import { isMeld, told } from "./rules.js";

/** `fits(n)`: whether what is chosen can be laid off on meld n. */
export function Melds({ table, fits, chosen, onMeld }) {
  return table.map((meld, n) => html`<button type="button" key=${n} class="meld ${fits(n) ? "fits" : ""}" data-drop="meld-${n}" aria-disabled=${!fits(n)}
    onClick=${() => onMeld(n)} aria-label="Meld ${n + 1}: ${meld.map(nameOf).join(", ")}${fits(n) ? `. Lay ${chosen.map(nameOf).join(", ")} off here` : ""}">
    <span class="no" aria-hidden="true">meld ${n + 1}</span><${Row} cards=${meld} /></button>`);
}

/** `possible`: melds of the hand that can be laid now. */
export function NewMeld({ chosen, action, possible, onLay, onChoose }) {
  const some = chosen.length > 1;
  return html`<div class="new-meld ${action ? "ready" : ""}" data-drop="new" role="group" aria-label="New meld">
    ${action && html`<button type="button" class="button main" onClick=${onLay}>Lay ${told(action.cards)}</button>`}
    ${!action && some && html`<b>${told(chosen)}</b><small>${isMeld(chosen) ? "cannot be laid now" : chosen.length < 3 ? "and more?" : "is no meld"}</small>`}
    ${!some && possible.length > 0 && html`<small>You hold</small>${possible.map((meld) => html`<button type="button" class="button" key=${meld[0]}
      aria-label="Choose ${meld.map(nameOf).join(", ")}" onClick=${() => onChoose(meld)}>${meld.map(short).join(" ")}</button>`)}`}
    ${!some && !possible.length && html`<small>Choose or drop cards here for a new meld</small>`}
  </div>`;
}
