// The score sheet: every deal so far, how it ended, and what it brought.
import { get, query } from "./api.js";
import { html, useEffect, useState } from "./html.js";
import { dealWord, sentence } from "./words.js";

/** The points that end the match; undefined in games that end otherwise. */
export const playedTo = (match, view) => view?.target ?? match.options.target;

export function ScoreSheet({ match, store, name }) {
  const [deals, set] = useState(null);
  useEffect(() => {
    const path = `/matches/${match.id}/deals${query({ limit: 100, key: store.key })}`;
    get(path).then(({ results }) => set(results.filter(({ result }) => result)), () => set([]));
  }, [match.version]);
  if (!deals?.length) return null;
  const seats = match.seats.map((seat) => seat.number);
  return html`<table class="sheet scores">
    <thead><tr><th scope="col">${sentence(dealWord(match))}</th><th scope="col">Ended by</th>${seats.map((seat) => html`<th scope="col" key=${seat}>${name(seat)}</th>`)}</tr></thead>
    <tbody>${deals.map(({ number, result }) => html`<tr key=${number}><td>${number}</td><td>${result.ending.replaceAll("_", " ")}</td>
      ${seats.map((seat) => html`<td key=${seat}>${result.points[seat] || "–"}</td>`)}</tr>`)}</tbody>
    <tfoot><tr><th scope="row" colspan="2">Total</th>${seats.map((seat) => html`<td key=${seat}>${match.seats[seat].score}</td>`)}</tr></tfoot>
  </table>`;
}
