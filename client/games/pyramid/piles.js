// Draw pile, waste, and what is removed. All that was seen once can be looked through.
import { Card, name, Row } from "../../cards.js";
import { usePressOutside } from "../../focus.js";
import { html, useRef, useState } from "../../html.js";
import { pairs } from "./rules.js";

const FANNED = 6; // cards of the waste that show their corner

export function Piles({ view, lies, mine, redeal, hinted }) {
  const { draw, waste } = view;
  const under = waste.slice(-FANNED, -1);
  return html`<div class="stocks">
    <div class="draws ${hinted === "draw" || hinted === "redeal" ? "hinted" : ""}" data-at="draw" role="group" aria-label="Draw pile, ${draw.length} cards">
      ${draw.length > 1 && html`<span class="under"><${Card} bare /></span>`}
      ${draw.length ? (draw[0] ? lies(draw[0]) : html`<${Card} bare />`) : html`<${Slot} view=${view} mine=${mine} redeal=${redeal} />`}
      <span class="count" aria-hidden="true">${draw.length}</span>
    </div>
    <div class="waste" data-drop="waste" role="group" aria-label="Waste, ${waste.length} cards" style=${{ "--n": under.length }}>
      ${under.map((card, n) => html`<span class="fanned" key=${card} data-card=${card} style=${{ "--i": n }}><${Card} card=${card} bare /></span>`)}
      ${waste.length ? lies(waste.at(-1)) : html`<span class="empty"></span>`}
      ${waste.length > 0 && html`<span class="count" aria-hidden="true">${waste.length}</span>`}
    </div>
    <${Look} draw=${draw} waste=${waste} />
  </div>`;
}

function Slot({ view, mine, redeal }) {
  const words = view.redeals_left ? `Turn the waste over, ${view.redeals_left} left` : "Draw pile is empty, no redeals left";
  return html`<button type="button" class="slot" onClick=${redeal} aria-label=${words} aria-disabled=${mine && view.redeals_left ? undefined : "true"}>
    <span aria-hidden="true">${view.redeals_left ? "↻" : "✕"}</span></button>`;
}

function Look({ draw, waste }) {
  const coming = draw.slice(1).filter(Boolean);
  if (waste.length + coming.length < 2) return null;
  return html`<${Drawer} shape="look" summary=${html`See all cards <span class="sr">of waste and draw pile</span>`}>
    <p>Waste, top first</p><${Cards} cards=${[...waste].reverse()} />
    ${coming.length > 0 && html`<p>Draw pile, next first</p><${Cards} cards=${draw} />`}
  <//>`;
}

const Cards = ({ cards }) => (cards.length ? html`<span class="cards">${cards.map((card) => html`<${Card} key=${card} card=${card} small />`)}</span>` : "none");

export function Removed({ cards }) {
  const all = pairs(cards);
  const last = all.at(-1) ?? [];
  const summary = html`<span class="heading">Removed <b>${cards.length}</b></span>
    <span class="lastly">${last.map((card) => html`<span key=${card} data-card=${card}><${Card} card=${card} small bare /></span>`)}</span>
    <span class="sr">${last.length > 0 && `last ${last.map(name).join(" and ")}`}</span>`;
  return html`<${Drawer} shape="removed" summary=${summary}><p>Removed, latest first</p>
    ${all.length ? all.reverse().map((pair) => html`<${Row} key=${pair[0]} cards=${pair} small label=${pair.map(name).join(" and ")} />`) : "nothing yet"}<//>`;
}

/** What is in it is drawn only while it is open. */
function Drawer({ shape, summary, children }) {
  const [open, set] = useState(false);
  const element = useRef(null);
  usePressOutside(element, () => element.current.removeAttribute("open"));
  return html`<details class=${shape} ref=${element} onToggle=${(event) => set(event.target.open)}><summary>${summary}</summary>
    ${open && html`<div class="looked">${children}</div>`}</details>`;
}
