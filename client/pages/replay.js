// A match played again: any version, from each seat or with all hands open, on its game's table.
import { Analysis } from "../analysis.js";
import { get, post, query } from "../api.js";
import { Row } from "../cards.js";
import { game, pageOf } from "../games.js";
import { html, styles, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { useMotion } from "../motion.js";
import { ALL, Replay, SPECTATOR } from "../replay.js";
import { go } from "../router.js";
import { Others, PlainResult } from "../table.js";
import { somebody } from "../who.js";
import { line, nameOf } from "../words.js";

const SPEEDS = [0.5, 1, 2, 4, 8];
const PAUSE = 1100; // ms for a move at speed 1

export const title = ({ kind }) => (kind ? `${kind.title} replay` : "Replay");

export async function prepare({ id, key, at, seat }) {
  const match = await get(`/matches/${id}${query({ key })}`);
  const replay = new Replay(match, key ?? null);
  const reader = replay.readers.includes(seat) ? seat : replay.usual();
  const asked = [game(match.game), pageOf(match.game), replay.read(reader), replay.deals(), styles("replay.css")];
  const [kind, page, lines, deals] = await Promise.all(asked);
  const first = Math.min(Math.max(Number(at) || deals[0] || 1, 1), match.version);
  const begin = match.version ? { ...(await replay.at(first, reader)), reader } : null;
  return { replay, kind, page, lines, deals, reader, first, begin };
}

export default function Page(found) {
  if (!found.replay) {
    return html`<h1>This replay cannot be shown</h1><p>${found.problem?.status === 404
      ? "There is no such match, or it is private and the link lacks its key." : found.problem?.message}</p>`;
  }
  if (!found.replay.match.version) return html`<h1>Replay</h1><p>Nothing has happened in this match yet.</p>`;
  return html`<${Viewer} ...${found} />`;
}

function Viewer({ replay, kind, page, deals, lines: firstLines, reader: firstReader, first, begin }) {
  const { match } = replay;
  const [reader, setReader] = useState(firstReader);
  const [version, setVersion] = useState(first);
  const [lines, setLines] = useState(firstLines);
  const [event, setEvent] = useState(begin);
  const [speed, setSpeed] = useState(1);
  const [playing, play] = useState(false);
  const [problem, tell] = useState(null);
  const felt = useRef(null);
  const step = (to) => setVersion(Math.min(Math.max(to, 1), match.version));
  const by = (count) => (play(false), step(version + count));
  const deal = (way) => {
    play(false);
    const next = way > 0 ? deals.find((at) => at > version) : deals.findLast((at) => at < version);
    step(next ?? (way > 0 ? match.version : 1));
  };

  useEffect(() => {
    let late = false;
    const moment = query({ at: version, seat: reader, key: replay.key });
    history.replaceState(null, "", `/matches/${match.id}/replay${moment}`);
    replay.at(version, reader).then((found) => late || (setEvent({ ...found, reader }), tell(null)), (why) => late || tell(why));
    return () => (late = true);
  }, [version, reader]);
  useEffect(() => {
    let late = false;
    replay.read(reader).then((found) => late || setLines(found), tell);
    return () => (late = true);
  }, [reader]);
  useEffect(() => {
    if (!playing) return undefined;
    if (version >= match.version) return play(false);
    const timer = setTimeout(() => event.version === version && step(version + 1), PAUSE / speed);
    return () => clearTimeout(timer);
  }, [playing, version, speed, event]);
  useKeys({ ArrowLeft: () => by(-1), ArrowRight: () => by(1), PageUp: () => deal(-1), PageDown: () => deal(1),
    Home: () => (play(false), step(1)), End: () => (play(false), step(match.version)), " ": () => play(!playing) });

  async function playOn() {
    try {
      await somebody();
      const seat = reader === ALL || reader === SPECTATOR ? null : Number(reader);
      const next = await post(`${replay.path}/continuations${query({ key: replay.key })}`, { version, seat });
      go(`/matches/${next.id}${query({ key: next.key })}`);
    } catch (refused) {
      tell(refused);
    }
  }

  const seen = event.views ? event.views[match.you ?? 0] : event.view;
  useMotion(felt, (card) => seen && page.origin?.(card, seen));
  const told = lines[version - 1];
  const words = told ? line(match, told) : "";
  return html`<h1 class="sr">${kind.title}: replay</h1>
  <div class="place replay" data-game=${match.game}>
    <section class="felt" aria-label="${kind.title} replay" ref=${felt}>
      <${Seen} ...${{ match, event, page, log: lines.slice(0, event.version) }} />
      <div class="player" role="group" aria-label="Replay">
        <p class="now" role="status">${words}</p>
        ${problem && html`<p class="refusal" role="alert"><span>${problem.message}</span></p>`}
        <label class="scrub"><span class="sr">Move</span>
          <input type="range" min="1" max=${match.version} value=${version} aria-valuetext="Move ${version} of ${match.version}: ${words}"
            onInput=${({ target }) => (play(false), step(Number(target.value)))} />
          <output>${version} / ${match.version}</output></label>
        <div class="controls">
          <${Key} on=${() => deal(-1)} off=${version <= 1} name="Deal before" keys="PageUp">«<//>
          <${Key} on=${() => by(-1)} off=${version <= 1} name="Move before" keys="ArrowLeft">◀<//>
          <button type="button" class="button main" aria-keyshortcuts="Space" onClick=${() => (version >= match.version && step(1), play(!playing))}>${playing ? "Pause" : "Play"}</button>
          <${Key} on=${() => by(1)} off=${version >= match.version} name="Next move" keys="ArrowRight">▶<//>
          <${Key} on=${() => deal(1)} off=${version >= match.version} name="Next deal" keys="PageDown">»<//>
        </div>
      </div>
      <div class="extras">
        <div class="controls">
          <label class="pick">Speed <select value=${speed} onChange=${({ target }) => setSpeed(Number(target.value))}>
            ${SPEEDS.map((each) => html`<option key=${each} value=${each}>${each} ×</option>`)}</select></label>
          <label class="pick">Seen by <select value=${reader} onChange=${({ target }) => setReader(target.value)}>
            ${replay.readers.map((each) => html`<option key=${each} value=${each}>${readerName(match, each)}</option>`)}</select></label>
        </div>
        <div class="controls">
          <${Share} />
          ${replay.over && html`<a class="button" href="/api/v1${replay.path}/export${query({ key: replay.key })}" download>Export</a>`}
          ${replay.over && html`<button type="button" class="button" onClick=${playOn}>Play from here</button>`}
          <a class="button" href="/matches/${match.id}${query({ key: replay.key })}">The table</a>
        </div>
      </div>
    </section>
    <div class="side">
      <${Moves} ...${{ match, lines, version }} onChoose=${(at) => (play(false), step(at))} />
      ${replay.over && html`<${Analysis} replay=${replay} onChoose=${(at, seat) => (play(false), setReader(String(seat)), step(at))} />`}
    </div>
  </div>`;
}

/** The table at a version, and what lies open besides. Nothing can be done there. */
function Seen({ match, event, page, log }) {
  const seats = match.seats.map((_, seat) => seat);
  const you = event.reader === SPECTATOR ? null : event.reader === ALL ? (match.you ?? 0) : Number(event.reader);
  const seen = event.views ? event.views[you] : event.view;
  const last = event.version === match.version;
  const then = last ? match.seats : match.seats.map((seat) => ({ ...seat, place: null }));
  const shown = { ...match, you, status: seen ? "playing" : "open", seats: then };
  const name = (seat) => nameOf(match, seat);
  if (!seen) return html`<div class="waiting"><h2>Before the first deal</h2></div>`;
  const view = { ...seen, legal: [] };
  const nothing = () => false;
  const table = { match: { ...shown, view }, store: null, view, you, name, log, busy: false, play: nothing, refuse: () => {} };
  const ended = view.result && (view.turn === null || view.turn < 0);
  const open = event.views && !ended ? seats.filter((seat) => seat !== you && event.views[seat].hand?.length) : [];
  const Showdown = page.Showdown ?? PlainResult;
  return html`<header class="above"><${Others} ...${table} still /></header>
    <div class="hands">${open.map((seat) => html`<div class="open" key=${seat}><span>${name(seat)}</span>
      <${Row} cards=${event.views[seat].hand} label="Hand of ${name(seat)}" small /></div>`)}</div>
    ${ended
      ? html`<section class="ended" aria-labelledby="showdown-title"><${Showdown} result=${view.result} ...${table} /></section>`
      : html`<${page.Board} ...${table} />`}`;
}

function readerName(match, reader) {
  if (reader === ALL) return "all hands open";
  if (reader === SPECTATOR) return "a spectator";
  return nameOf(match, Number(reader));
}

function Key({ on, off, name, keys, children }) {
  return html`<button type="button" class="button" disabled=${off} aria-label=${name} title=${name} aria-keyshortcuts=${keys} onClick=${on}>${children}</button>`;
}

function Share() {
  const [link, set] = useState(null);
  const share = () => {
    set(location.href);
    navigator.clipboard?.writeText(location.href).catch(() => {}); // else it can be copied by hand
  };
  return html`<button type="button" class="button" aria-label="Share this moment" onClick=${share}>Share</button>
    ${link && html`<input class="link" readonly value=${link} aria-label="Link to this moment, copied" onFocus=${({ target }) => target.select()} />`}`;
}

function Moves({ match, lines, version, onChoose }) {
  const [open, set] = useState(() => matchMedia("(min-width: 64rem)").matches);
  const list = useRef(null);
  useEffect(() => {
    const now = list.current?.querySelector("[aria-current]");
    if (now) list.current.scrollTop = now.offsetTop - list.current.offsetTop - list.current.clientHeight / 2;
  }, [version, lines, open]);
  return html`<details class="log" open=${open} onToggle=${({ target }) => set(target.open)}>
    <summary>Moves</summary>
    <ol ref=${list}>${lines.map((entry) => html`<li key=${entry.version}>
      <button type="button" class=${entry.last.seat < 0 ? "soft" : ""} aria-current=${entry.version === version ? "step" : undefined}
        onClick=${() => onChoose(entry.version)}>${line(match, entry)}</button></li>`)}</ol>
  </details>`;
}

/** Keys of the whole page, but where a key means something else. */
function useKeys(keys) {
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    const pressed = (event) => {
      const { key, target } = event;
      const own = target.closest("input, select, .hand") || (key === " " && target.closest("button, a, summary"));
      if (!(key in latest.current) || own || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      latest.current[key]();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}
