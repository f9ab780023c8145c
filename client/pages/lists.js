// Lists of the API, page after page, and a list of matches.
import { get } from "../api.js";
import { games } from "../games.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { useWho } from "../who.js";
import { when } from "../words.js";

const NOTHING = { rows: null, next: null, problem: null };

/** {rows, more, again, problem}: what a list holds so far; more() asks for the next page, again() anew. */
export function useList(path) {
  const [found, set] = useState(NOTHING);
  const newest = useRef(path);
  newest.current = path;
  const keep = (list) => path === newest.current && set({ ...list, path }); // else it comes too late
  const add = (before, asked) =>
    get(asked).then(
      (page) => keep({ ...page, rows: [...before, ...page.results], next: page.next }),
      (problem) => keep({ rows: before, next: null, problem }),
    );
  useEffect(() => {
    set(NOTHING);
    add([], path);
  }, [path]);
  const list = found.path === path ? found : NOTHING;
  const again = () => add([], path);
  return { ...list, again, more: list.next ? () => add(list.rows, new URL(list.next, location.origin).pathname + new URL(list.next, location.origin).search) : null };
}

/** `children(rows)` draws what the list holds; before, without, or in place of it, that is told. */
export function Rows({ list, none, children }) {
  if (list.problem) return html`<p class="refusal" role="alert">${list.problem.message}</p>`;
  if (!list.rows) return html`<p class="soft" aria-busy="true">Looking …</p>`;
  if (!list.rows.length) return html`<p class="soft">${none}</p>`;
  return html`${children(list.rows)}${list.more && html`<button type="button" class="button" onClick=${list.more}>More</button>`}`;
}

/** `place`: where below a match its link leads. Matches in which it is one's turn come first. */
export function Matches({ list, none, place = "" }) {
  const titles = useTitles();
  const me = useWho()?.name;
  const mine = ({ status, turn, seats }) => status === "playing" && me && seats[turn]?.player === me;
  const row = (match) => html`<li key=${match.id}>
    <a class="to" href="/matches/${match.id}${place}">${titles[match.game] ?? match.game}</a>
    <span>${match.seats.map((seat, n) => [n > 0 && " · ", html`<span class="one"><${Seated} ...${seat} number=${twins(match, seat) && ` ${n + 1}`} me=${me} /></span>`])}</span>
    ${mine(match) && html`<span class="turn">your turn${match.deadline && `, until ${when(match.deadline)}`}</span>`}
    <span class="soft">${state(match)} ${when(match.finished_at ?? match.started_at ?? match.created_at)}</span></li>`;
  return html`<${Rows} list=${list} none=${none}>${(rows) => html`<ul class="matches">
    ${[...rows.filter(mine), ...rows.filter((match) => !mine(match))].map(row)}</ul>`}<//>`;
}

function useTitles() {
  const [titles, set] = useState({});
  useEffect(() => {
    games().then((kinds) => set(Object.fromEntries(kinds.map(({ name, title }) => [name, title]))), () => {});
  }, []);
  return titles;
}

/** Bots of the same level have their seat's number, as at the table. */
const twins = ({ seats }, { player, bot }) => bot && !player && seats.filter((each) => !each.player && each.bot === bot).length > 1;

function Seated({ player, bot, number, invited, score, me }) {
  if (player) return html`<${Name} of=${player} me=${me} />: ${score}`;
  return bot ? `${bot} bot${number || ""}: ${score}` : invited ? html`kept for <${Name} of=${invited} me=${me} />` : "open seat";
}

/** A player's name, which leads to what that player has done; one's own leads nowhere else than its line. */
export const Name = ({ of, me }) => (of === me ? "you" : html`<a class="name" href="/players/${of}">${of}</a>`);

const STATES = { open: "waits since", playing: "since", finished: "ended", aborted: "called off", voided: "voided" };
const state = ({ status }) => STATES[status];
