// The course of a rating as a line, from one match to the next.
import { html } from "../html.js";

const WIDE = 300;
const HIGH = 64;
const EDGE = 5;

export function Course({ of }) {
  const low = Math.min(...of);
  const high = Math.max(...of);
  const x = (n) => EDGE + (n * (WIDE - 2 * EDGE)) / (of.length - 1);
  const y = (rating) => HIGH - EDGE - ((rating - low) * (HIGH - 2 * EDGE)) / (high - low || 1);
  const told = `Rating over the last ${of.length} rated matches: from ${of[0]} to ${of.at(-1)}, lowest ${low}, highest ${high}`;
  return html`<figure class="course">
    <svg viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label=${told}>
      <polyline points=${of.map((rating, n) => `${x(n)},${y(rating)}`).join(" ")} />
      <circle cx=${x(of.length - 1)} cy=${y(of.at(-1))} r="3.5" />
    </svg>
    <figcaption class="soft" aria-hidden="true"><span>${of[0]}</span><span>${of.length} rated matches, ${low} to ${high}</span><b>${of.at(-1)}</b></figcaption>
  </figure>`;
}
