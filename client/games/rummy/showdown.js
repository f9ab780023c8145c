// How a deal of rummy ended: whose hand was empty, what the others held, and what that pays.
import { Card, Row } from "../../cards.js";
import { html } from "../../html.js";
import { sortedByMelds } from "../../order.js";

const NO_POINTS = {
  exhausted: "The stock ran out once too often.",
  dead: "With the cards that are left nobody could ever have gone out.",
  idle: "Nobody drew from the stock or laid a card any more.",
};

export function Showdown({ result, name, match }) {
  const { winner, hands, left, points, ending, face_down: last } = result;
  const won = winner === null ? null : points[winner];
  const held = left.reduce((sum, each) => sum + each, 0);
  const seats = match.seats.map(({ number }) => number).filter((seat) => seat !== winner);
  return html`<h2 id="showdown-title">${heading(result, name)}</h2>
    <p class="lead">${winner === null ? `${NO_POINTS[ending]} Nobody scores.` : explained(ending, name(winner))}</p>
    <table class="sheet hands"><tbody>
      ${seats.map((seat) => html`<tr key=${seat}><th scope="row">${name(seat)}</th>
        <td class="cards"><${Row} cards=${sortedByMelds(hands[seat])} small label="Cards left" /></td><td>${left[seat]}</td></tr>`)}
      ${winner !== null && won !== held && html`<tr><th scope="row" colspan="2">${won === 2 * held ? "Going rummy doubles it" : "Going rummy pays more"}</th>
        <td>${won === 2 * held ? "× 2" : `+ ${won - held}`}</td></tr>`}
      ${winner !== null && html`<tr class="mine"><th scope="row" colspan="2">${name(winner)} ${name(winner) === "You" ? "score" : "scores"}</th><td>${won}</td></tr>`}
    </tbody></table>
    ${last && html`<p class="soft last">The last card, thrown face down, was <${Card} card=${last} small /></p>`}`;
}

function heading({ winner, ending, points }, name) {
  if (winner === null) return "Nobody goes out";
  const you = name(winner) === "You";
  const goes = ending === "rummy" ? (you ? "go rummy" : "goes rummy") : you ? "go out" : "goes out";
  return `${name(winner)} ${goes}: ${points[winner]} ${points[winner] === 1 ? "point" : "points"}`;
}

function explained(ending, who) {
  const all = "The points of all cards that the others still held";
  if (ending !== "rummy") return `${all}.`;
  return `${who} had laid nothing before this last turn.`;
}
