// Leaderboards: the best of the day, the week, and of all time.
import { games } from "../games.js";
import { html, useState } from "../html.js";
import { useWho } from "../who.js";
import { sentence } from "../words.js";
import { Rows, useList } from "./lists.js";

export const title = "Boards";
export const prepare = async () => ({ kinds: await games() });
const COUNTED = { wins: "What counts is how many matches are won.", points: "What counts is a player’s best score.",
  rating: "What counts is the rating: how strong a player is by all rated matches." };
const PERIODS = { day: "Today", week: "This week", all: "All time" };

export default function Boards({ kinds = [], game = kinds[0]?.name, problem }) {
  const [period, choose] = useState("day");
  if (!game) return html`<h1>Boards</h1><p class="refusal" role="alert">${problem?.message}</p>`;
  return html`<h1>Boards</h1>
    <nav class="tabs" aria-label="Games">${kinds.map((kind) => html`<a key=${kind.name} href="/boards/${kind.name}"
      aria-current=${kind.name === game ? "page" : undefined}>${kind.title}</a>`)}</nav>
    <div class="tabs" role="group" aria-label="Period">${Object.entries(PERIODS).map(([name, words]) => html`<button type="button" key=${name}
      aria-pressed=${name === period} onClick=${() => choose(name)}>${words}</button>`)}</div>
    <${Board} game=${game} period=${period} />`;
}

function Board({ game, period }) {
  const list = useList(`/leaderboards/${game}?period=${period}&limit=25`);
  const player = useWho();
  const none = html`Nobody stands here yet. ${COUNTED[list.ranks]} Only players with a name are ranked.`;
  return html`<${Rows} list=${list} none=${none}>${(rows) => html`<table class="sheet board"><thead><tr><th scope="col">Rank</th><th scope="col">Player</th><th scope="col">${sentence(list.ranks ?? "value")}</th></tr></thead>
    <tbody>${rows.map((row) => html`<tr key=${row.rank + row.player} class=${row.player === player?.name ? "mine" : ""}>
      <td>${row.rank}</td><th scope="row"><a href="/players/${row.player}">${row.player}</a></th><td>${row.value}</td></tr>`)}</tbody></table>`}<//>`;
}
