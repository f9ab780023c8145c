// The table of any game at all: what the view shows, and a button for each legal action.
import { CARD, Row } from "../cards.js";
import { html } from "../html.js";
import { actionWords, sentence } from "../words.js";

const APART = ["legal", "last", "options", "result", "seat", "turn"];

export function Board({ view, play, busy, advice }) {
  const shown = Object.entries(view).filter(([field, value]) => !APART.includes(field) && value !== null);
  return html`<div class="plain">
    <dl>${shown.map(([field, value]) => html`<div key=${field}>
      <dt>${sentence(field.replaceAll("_", " "))}</dt><dd><${Value} of=${value} /></dd>
    </div>`)}</dl>
    ${advice}
    <div class="controls" role="group" aria-label="What you may do">
      ${view.legal.map((action) => html`<button type="button" class="button" key=${JSON.stringify(action)}
        disabled=${busy} onClick=${() => play(action)}>${actionWords(action)}</button>`)}
    </div>
  </div>`;
}

/** Cards as cards, lists side by side, and all else as it stands. */
function Value({ of }) {
  if (Array.isArray(of)) {
    if (!of.length) return "–";
    if (of.every((each) => CARD.test(each))) return html`<${Row} cards=${of} small />`;
    return html`<span class="values">${of.map((each, n) => html`<span key=${n}><${Value} of=${each} /></span>`)}</span>`;
  }
  if (typeof of === "string" && CARD.test(of)) return html`<${Row} cards=${[of]} small />`;
  if (of && typeof of === "object") {
    return Object.entries(of).map(([field, value], n) => html`<span key=${n} class="field">${field.replaceAll("_", " ")} <${Value} of=${value} /></span>`);
  }
  return of === true ? "yes" : of === false ? "no" : of === null ? "–" : String(of).replaceAll("_", " ");
}
