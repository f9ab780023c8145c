// How a deal of gin ended: both hands, what was laid off, and where the points come from.
import { byRank, bySuit, Card, Row } from "../../cards.js";
import { html } from "../../html.js";

const NO_POINTS = {
  wall: "The stock ran down and nobody knocked. The deal is drawn.",
  idle: "Nobody drew from the stock any more. The deal is drawn.",
};

export function Showdown({ result, name, you }) {
  const { knocker, melds, hands, deadwood, layoffs } = result;
  const order = knocker === null ? [you ?? 0, 1 - (you ?? 0)] : [knocker, 1 - knocker];
  const grown = (seat) =>
    melds[seat].map((meld, n) => (seat === knocker ? [...meld, ...layoffs.filter((each) => each.meld === n).map(({ card }) => card)].sort(bySuit) : meld));
  return html`<h2 id="showdown-title">${heading(result, name)}</h2>
    <p class="lead">${explained(result, name)}</p>
    ${order.map((seat) => html`<section key=${seat} class="shown">
      <h3>${name(seat)} <span class="soft">${deadwood[seat]} deadwood</span></h3>
      <div class="melds">
        ${grown(seat).map((meld, n) => html`<span class="row" role="group" aria-label="Meld" key=${n}>${meld.map((card) => html`<${Card} key=${card} card=${card} small
          marks=${layoffs.some((each) => each.card === card) ? "laidoff" : ""} />`)}</span>`)}
        <${Loose} cards=${hands[seat].filter((card) => !melds[seat].flat().includes(card))} />
      </div></section>`)}
    ${layoffs.length > 0 && html`<p class="soft">Ringed cards were laid off by ${lower(name(1 - knocker))}.</p>`}`;
}

function Loose({ cards }) {
  return cards.length > 0 && html`<span class="loose"><${Row} cards=${[...cards].sort(byRank)} small label="Deadwood" /></span>`;
}

function heading({ ending, points, knocker }, name) {
  const winner = points.findIndex((each) => each > 0);
  if (winner < 0) return knocker === null ? "Nobody scores" : "A tie: nobody scores";
  const what = { knock: "the knock wins", undercut: "undercut!", gin: "gin!", big_gin: "big gin!" }[ending] ?? ending;
  return `${name(winner)} ${name(winner) === "You" ? "score" : "scores"} ${points[winner]}: ${what}`;
}

function explained({ ending, points, knocker, deadwood }, name) {
  if (knocker === null) return NO_POINTS[ending];
  const other = 1 - knocker;
  const won = Math.max(...points);
  const difference = Math.abs(deadwood[other] - deadwood[knocker]);
  const left = `${name(knocker)} had ${deadwood[knocker]} deadwood, ${lower(name(other))} ${deadwood[other]}.`;
  const more = won - difference;
  if (!won) return left;
  if (more <= 0) return `${left} The difference is ${difference}.`;
  return `${left} The difference is ${difference}, and ${more} more for the ${ending.replace("_", " ")}: ${won} points.`;
}

const lower = (name) => (name === "You" ? "you" : name);
