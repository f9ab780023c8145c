// The frame of a table, the same for every game: seats, status, log, the end of deals, the menu.
import { query } from "./api.js";
import { Card } from "./cards.js";
import { Claims, Deadline, Fills } from "./clock.js";
import { useKeys, usePressOutside } from "./focus.js";
import { useHint } from "./hint.js";
import { useMotion } from "./motion.js";
import { playedTo, ScoreSheet } from "./sheet.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { go } from "./router.js";
import { Switches } from "./settings.js";
import { sound } from "./sounds.js";
import { useStore } from "./store.js";
import { line, nameOf, sentence } from "./words.js";

const READ = 4000; // ms that a refusal stays, and more for each letter of it
const PER_LETTER = 50;
const ORDINALS = { 2: "2nd", 3: "3rd" };

/** `game` is the game's page: see README.md for what it may export. */
export function Table({ store, game, title }) {
  const { match, live, busy, problem, log } = useStore(store);
  const view = store.seen;
  useSounds(store);
  const deal = useEndOfDeal(store);
  const felt = useRef(null);
  useMotion(felt, (card) => view && game.origin?.(card, view));
  const between = Boolean(deal.result) && match.status === "playing"; // the next deal lies there already
  useLayoutEffect(() => store.hold(between), [store, between]);
  const table = {
    match, store, view, busy, log, you: match.you, name: (seat) => nameOf(match, seat),
    play: (action) => store.play(action), refuse: (words) => store.say(words),
  };
  const hint = useHint(table);
  return html`<div class="place" data-game=${match.game}>
    <section class="felt ${between && view.deal !== deal.result.deal ? "between" : ""}" ref=${felt} aria-label="${title} table" onClickCapture=${() => problem && store.forgive()}>
      <header class="above">
        <${Others} ...${table} />
        ${hint.ask}
        <${Menu} store=${store} match=${match} />
      </header>
      ${!view || match.status === "open"
        ? html`<${Waiting} store=${store} match=${match} />`
        : toldToAll(match, view)
          ? html`<section class="ended" aria-labelledby="showdown-title"><${game.Showdown ?? PlainResult} ...${table} result=${view.result} /></section>`
          : html`<${game.Board} ...${table} advice=${hint.advice} />`}
      <${Claims} ...${table} />
      ${isOver(match) && html`<${Over} ...${table} />`}
      <${Status} ...${table} live=${live} game=${game} problem=${problem} />
    </section>
    <${Log} match=${match} log=${log} />
    ${deal.result && html`<${EndOfDeal} ...${table} ...${deal} game=${game} />`}
  </div>`;
}

const isOver = ({ status }) => status !== "open" && status !== "playing";

/** Whoever only watches is shown how the last deal ended; players are told by a dialog. */
const toldToAll = (match, view) => match.status === "finished" && match.you === null && view.result && view.result.deal === view.deal;

/** `still`: nobody is at it, as in a replay. */
export function Others({ match, view, name, still }) {
  const first = match.you ?? 0;
  const aim = playedTo(match, view);
  const around = match.seats.map((_, n) => (first + n) % match.seats.length);
  return html`<ol class="seats">${around.map((seat) => {
    const { score, bot, place } = match.seats[seat];
    const turn = view && view.turn === seat && match.status === "playing";
    const held = view?.hand_sizes?.[seat];
    return html`<li key=${seat} class="seat ${turn ? "turn" : ""} ${seat === match.you ? "mine" : ""}" data-at="seat-${seat}">
      <span class="face" aria-hidden="true">${bot ? "⚙" : name(seat)[0].toUpperCase()}</span>
      <span class="who"><b><${Whose} of=${match.seats[seat]}>${name(seat)}<//></b>
        <span class="score">${view?.scores?.[seat] ?? score}${aim && html`<span class="aim"> of ${aim}</span>`}<span class="sr"> points</span></span>
        ${view?.dealer === seat && !place && match.seats.length > 1 && html`<span class="dealer" title="dealt">dealt</span>`}
        ${place && match.seats.length > 1 && html`<span class="medal">${placed(match, place)}</span>`}
      </span>
      ${turn && seat !== match.you && html`<span class="thinking">${bot && !still ? "thinking" : "to move"}${!still && html`<i></i><i></i><i></i>`}</span>`}
      ${turn && !still && html`<${Deadline} match=${match} view=${view} />`}
      ${held > 0 && seat !== match.you && view.showdown?.knocker !== seat && html`<span class="backs" role="img" aria-label="${held} cards">
        ${Array.from({ length: held }, (_, n) => html`<${Card} key=${n} small bare />`)}</span>`}
    </li>`;
  })}</ol>`;
}

function placed({ seats }, place) {
  const shared = seats.filter((seat) => seat.place === place).length > 1;
  return place === 1 ? (shared ? "shared win" : "won") : `${shared ? "shared " : ""}${ORDINALS[place] ?? `${place}th`}`;
}

/** A player's name leads to what that player has done, in a tab of its own. */
function Whose({ of: { player }, children }) {
  return player ? html`<a href="/players/${player}" target="_blank">${children}</a>` : children;
}

function Status({ match, store, view, you, name, busy, live, game, log, problem }) {
  const last = log.at(-1);
  return html`<div class="status">
    <p class="told" aria-hidden="true">${last && line(match, last)}</p>
    <p class="todo ${view?.turn === you && match.status === "playing" ? "yours" : ""}" role="status">
      ${!live && html`<span class="away">Connection lost. Trying again …</span>`} ${todo()}
    </p>
    <p class="sr" aria-live="polite" role="log">${last && line(match, last)}</p>
    ${problem && html`<${Refusal} problem=${problem} forgive=${() => store.forgive()} />`}
  </div>`;

  function todo() {
    if (match.status === "open") return "Waiting for players.";
    if (match.status !== "playing") return over(match, name);
    if (busy) return "…";
    if (you !== null && view.turn === you) return game.todo?.(view) ?? "Your turn.";
    if (view.turn !== null && view.turn >= 0) return `${name(view.turn)}’s turn.`;
    return view.phase === "dealing" ? "Dealing …" : "Shuffling …"; // a new stock
  }
}

const ENDED = {
  voided: "An operator has declared this match void: it counts for nothing.",
  left: "All have left this table.",
  expired: "This table has waited too long.",
  abandoned: "All have abandoned this match.",
  operator: "An operator has ended this match.",
};

export function over(match, name) {
  if (match.status !== "finished") return ENDED[match.status] ?? ENDED[match.ended_by] ?? "This match was called off.";
  const winners = match.seats.filter((seat) => seat.place === 1).map((seat) => seat.number);
  if (match.seats.length === 1) return `The match is over: ${match.seats[0].score} points.`;
  if (winners.includes(match.you)) return winners.length > 1 ? "The match is over: shared first place." : "You have won the match!";
  return `${winners.map(name).join(" and ")} ${winners.length > 1 ? "have" : "has"} won the match.`;
}

function Over({ match, store }) {
  return html`<div class="controls over-bar">
    ${match.you !== null && html`<button type="button" class="button main" onClick=${() => rematch(store)}>Play again</button>`}
    <a class="button" href=${replayOf(match.id, { key: store.key })}>Replay</a>
  </div>`;
}

function Refusal({ problem, forgive }) {
  const words = problem.errors?.[0]?.detail ?? problem.message;
  useEffect(() => {
    sound("refused");
    const timer = setTimeout(forgive, READ + PER_LETTER * words.length);
    return () => clearTimeout(timer);
  }, [problem]);
  useKeys({ escape: forgive });
  return html`<div class="refusal" role="alert"><span>${words}</span>
    <button type="button" class="quiet" onClick=${forgive} aria-label="Dismiss">✕</button></div>`;
}

function Log({ match, log }) {
  const [open, set] = useState(() => matchMedia("(min-width: 64rem)").matches);
  const end = useRef(null);
  useEffect(() => {
    if (end.current) end.current.scrollTop = end.current.scrollHeight;
  }, [log.at(-1)?.version, open]); // its length stays, once the oldest lines are let go
  return html`<details class="log" open=${open} onToggle=${(event) => set(event.target.open)}>
    <summary>Moves</summary>
    <ol ref=${end} tabindex="0" aria-label="Moves">${log.map((entry) => html`<li key=${entry.version}
      class=${entry.last.seat < 0 ? "soft" : entry.last.seat === match.you ? "mine" : ""}>${line(match, entry)}</li>`)}</ol>
  </details>`;
}

function Waiting({ store, match }) {
  const seated = match.you !== null;
  const [copied, set] = useState(false);
  const link = location.origin + `/matches/${match.id}` + (store.key ? `?key=${store.key}` : "");
  const copy = () => navigator.clipboard?.writeText(link).then(() => set(true), () => {});
  return html`<div class="waiting">
    <h2>${match.status === "open" ? "Waiting for players" : sentence(match.status)}</h2>
    ${match.status === "open" && html`
      <${Fills} match=${match} />
      <p>Whoever opens this link can ${seated ? "sit down" : "watch"} here:</p>
      <p class="share"><input class="link" readonly value=${link} aria-label="Link to this table" onFocus=${(e) => e.target.select()} />
        <button type="button" class="button" onClick=${copy}>${copied ? "Copied" : "Copy"}</button></p>
      ${seated
        ? html`<button type="button" class="button" onClick=${() => store.leave().then((left) => left && go("/"))}>Leave the table</button>`
        : html`<button type="button" class="button main" onClick=${() => store.join()}>Sit down</button>`}`}
  </div>`;
}

/** The result of a deal that has just ended, until the player has read it. */
function useEndOfDeal(store) {
  const result = store.view?.result ?? null;
  const read = useRef(undefined);
  const last = useRef(0);
  const [, again] = useState(0);
  if (read.current === undefined) read.current = isOver(store.match) ? null : (result?.deal ?? null);
  const deal = result?.deal ?? 0;
  if (deal < last.current) read.current = result && deal; // taken back: what ends again is told again
  last.current = deal;
  const fresh = result && result.deal !== read.current;
  return {
    result: fresh && store.match.you !== null ? result : null,
    close: () => ((read.current = result.deal), again((n) => n + 1)),
  };
}

function EndOfDeal({ result, close, match, name, game, store, ...table }) {
  const dialog = useRef(null);
  useLayoutEffect(() => {
    sound("over");
    dialog.current.showModal();
  }, []);
  const [looking, look] = useState(false);
  const done = match.status !== "playing";
  const there = store.view?.deal === result.deal; // its table, not yet the next one
  const Showdown = game.Showdown ?? PlainResult;
  return html`<dialog ref=${dialog} class="showdown ${looking ? "looking" : ""}" aria-labelledby="showdown-title" onClose=${close}>
    <${Showdown} result=${result} match=${match} store=${store} name=${name} ...${table} />
    <details class="score-sheet" open=${done}><summary>Score sheet${playedTo(match, store.view) && `, played to ${playedTo(match, store.view)}`}</summary><${ScoreSheet} match=${match} store=${store} name=${name} /></details>
    ${done && html`<p class="final">${over(match, name)}</p>`}
    <div class="controls">
      ${done && match.you !== null && html`<button type="button" class="button main" onClick=${() => rematch(store)}>Play again</button>`}
      ${done && html`<a class="button" href=${replayOf(match.id, { key: store.key })}>Replay</a>`}
      ${!done && there && html`<button type="button" class="button" onClick=${() => look(!looking)}>${looking ? "The points" : "Look at the table"}</button>`}
      <button type="button" class="button ${done ? "" : "main"}" autofocus onClick=${() => dialog.current.close()}>
        ${done ? "Look at the table" : (game.goOn ?? "Next deal")}</button>
    </div>
  </dialog>`;
}

export function PlainResult({ result, name }) {
  return html`<h2 id="showdown-title">Deal ${result.deal}: ${result.ending.replaceAll("_", " ")}</h2>
    <table class="sheet"><tbody>${result.points.map((points, seat) => html`<tr key=${seat}>
      <th scope="row">${name(seat)}</th><td>${points}</td></tr>`)}</tbody></table>`;
}

async function rematch(store) {
  const next = await store.rematch();
  if (next) go(`/matches/${next.id}${next.key ? `?key=${next.key}` : ""}`);
}

const replayOf = (id, values) => `/matches/${id}/replay${query(values)}`;

function Menu({ store, match }) {
  const element = useRef(null);
  const [sure, ask] = useState(false);
  const playing = match.status === "playing" && match.you !== null;
  const shut = () => (ask(false), element.current.removeAttribute("open"));
  usePressOutside(element, shut);
  const copied = (at) => match.continues && at === match.started_at; // from the match that it goes on from
  const moved = store.log.some(({ at, last }) => match.seats[last.seat]?.player && !copied(at));
  return html`<details class="menu" ref=${element} onKeyDown=${(event) => event.key === "Escape" && shut()}>
    <summary aria-label="Menu">☰</summary>
    <div class="drawer">
      <${Switches} />
      <a class="button" href="/docs/rules-${match.game}.md" target="_blank">The rules</a>
      ${match.version > 0 && html`<a class="button" href=${replayOf(match.id, { key: store.key })}>Replay</a>`}
      ${match.continues && html`<a class="button" href=${replayOf(match.continues.match, { at: match.continues.version })}>Where it goes on from</a>`}
      <a class="button" href="/">Leave for the start page</a>
      ${playing && !moved && html`<button type="button" class="button" onClick=${() => (shut(), store.act("abort"))}>Call the match off</button>`}
      ${playing && !sure && html`<button type="button" class="button" onClick=${() => ask(true)}>Resign …</button>`}
      ${playing && sure && html`<button type="button" class="button" onClick=${shut}>No, play on</button>
        <button type="button" class="button danger" onClick=${() => (shut(), store.act("resignation"))}>Yes, resign this match</button>`}
    </div>
  </details>`;
}

/** Sounds, and a mark on the tab's title when it is one's turn. */
function useSounds(store) {
  const before = useRef(null);
  useEffect(() => {
    const { view, match } = store;
    const mine = match.status === "playing" && match.you !== null && view?.turn === match.you;
    document.title = (mine ? "● " : "") + document.title.replace(/^● /, "");
    const now = { version: store.version, turn: view?.turn };
    const old = before.current;
    before.current = now;
    if (!old || old.version === now.version) return;
    sound(now.turn === match.you && old.turn !== match.you ? "turn" : "card");
  });
}
