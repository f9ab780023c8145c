// A knock on the table: the knocker's melds, to lay off on, and what is loose.
import { name as nameOf, Row, short } from "../../cards.js";
import { html } from "../../html.js";

export function Laid({ showdown, name, mayLay, onMeld }) {
  const { knocker, melds, loose, deadwood } = showdown;
  return html`<section class="laid" aria-label="The knock">
    <h2>${name(knocker)} ${knocker === null ? "" : name(knocker) === "You" ? "knock" : "knocks"} with ${deadwood}</h2>
    <div class="melds">
      ${melds.map((meld, n) => html`<button type="button" key=${n} class="meld" data-drop="meld-${n}" disabled=${!mayLay} onClick=${() => onMeld(n)}
        aria-label="Meld ${n + 1}: ${meld.map(nameOf).join(", ")}${mayLay ? ". Lay the chosen card off here" : ""}"><${Row} cards=${meld} /></button>`)}
      ${loose.length > 0 && html`<div class="loose"><${Row} cards=${loose} label="Deadwood" /><span>deadwood ${loose.map(short).join(" ")}</span></div>`}
    </div>
  </section>`;
}
