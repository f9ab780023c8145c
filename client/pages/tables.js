// The lobby: tables with an open seat, matches that are played or over.
import { html, useState } from "../html.js";
import { Matches, useList } from "./lists.js";
import { games } from "../games.js";

export const title = "Tables";
export const prepare = async () => ({ kinds: await games() });

export default function Tables({ kinds = [] }) {
  const [game, choose] = useState("");
  const open = useList(`/matches?seats=open${game && `&game=${game}`}`);
  const playing = useList(`/matches?status=playing&limit=10${game && `&game=${game}`}`);
  const ended = useList(`/matches?status=finished&limit=10${game && `&game=${game}`}`);
  return html`<h1>Tables</h1>
    <p class="controls">
      <label>Game <select value=${game} onChange=${(event) => choose(event.target.value)}>
        <option value="">all</option>
        ${kinds.map((kind) => html`<option key=${kind.name} value=${kind.name}>${kind.title}</option>`)}
      </select></label>
    </p>
    <p class="controls"><span>Open one:</span> ${kinds.filter(({ seats }) => seats.at(-1) > 1).map((kind) => html`<a key=${kind.name} class="button" href="/play/${kind.name}?with=people">${kind.title}</a>`)}</p>
    <h2>With an open seat</h2><${Matches} list=${open} none="None now." />
    <h2>Being played</h2><${Matches} list=${playing} none="Nobody plays now." />
    <h2>Ended</h2><${Matches} list=${ended} none="None yet." />`;
}
