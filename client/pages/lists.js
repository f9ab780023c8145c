// Lists of the API, page after page, and a list of matches.
import { get } from "../api.js";
import { games } from "../games.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { when } from "../words.js";

const NOTHING = { rows: null, next: null, problem: null };

/** {rows, more, problem}: what a list's address holds so far; more() asks for the next page. */
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
  return { ...list, more: list.next ? () => add(list.rows, new URL(list.next, location.origin).pathname + new URL(list.next, location.origin).search) : null };
}

export function More({ list }) {
  return list.more && html`<button type="button" class="button" onClick=${list.more}>More</button>`;
}

/** `place`: where below a match its link leads. */
export function Matches({ list, none, place = "" }) {
  const titles = useTitles();
  if (list.problem) return html`<p class="refusal" role="alert">${list.problem.message}</p>`;
  if (!list.rows) return html`<p class="soft" aria-busy="true">Looking …</p>`;
  if (!list.rows.length) return html`<p class="soft">${none}</p>`;
  return html`<ul class="matches">${list.rows.map((match) => html`<li key=${match.id}>
    <a href="/matches/${match.id}${place}">
      <b>${titles[match.game] ?? match.game}</b>
      <span>${match.seats.map(seated).join(" · ")}</span>
      <span class="soft">${state(match)} ${when(match.finished_at ?? match.started_at ?? match.created_at)}</span>
    </a></li>`)}</ul>
    <${More} list=${list} />`;
}

function useTitles() {
  const [titles, set] = useState({});
  useEffect(() => {
    games().then((kinds) => set(Object.fromEntries(kinds.map(({ name, title }) => [name, title]))), () => {});
  }, []);
  return titles;
}

function seated({ player, bot, invited, score }) {
  if (player) return `${player}: ${score}`;
  return bot ? `${bot} bot: ${score}` : invited ? `kept for ${invited}` : "open seat";
}

const STATES = { open: "waits since", playing: "since", finished: "ended", aborted: "called off", voided: "voided" };
const state = ({ status }) => STATES[status];
