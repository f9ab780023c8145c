// What is known of one match. Moves show at once as a guess, and are put back if refused.
import { get, post, query, remove } from "./api.js";
import { useLayoutEffect, useReducer } from "./html.js";
import { follow } from "./stream.js";
import { somebody } from "./who.js";

const TABLE = -2; // the seat of entries about the table: joined, started, resigned
const PACE = 550; // ms between the moves of others, so that they can be followed
const MOST_BEHIND = 6; // moves waiting to be shown; with more of them the pace is dropped
const LOG = 80;
const LOOK = 10_000; // ms between looks at a match that is over

export class MatchStore {
  match = null;
  version = 0;
  view = null;
  log = [];
  live = true;
  busy = false;
  problem = null;
  lost = null; // why it cannot be shown at all
  #guess = null;
  #queue = [];
  #listeners = new Set();
  #shown = 0;
  #timer = null;
  #looking = null;
  #held = false;
  #stop = () => {};

  constructor(id, key = null) {
    this.path = `/matches/${id}`;
    this.key = key;
    this.guesses = null; // (view, action) => view, of the game's page
  }

  /** The view to draw: the guess while a move is under way. */
  get seen() {
    return this.#guess ?? this.view;
  }

  async open() {
    try {
      await this.refresh();
      const after = Math.max(0, this.version - LOG);
      const moves = await get(`${this.path}/moves${query({ after, limit: 100, key: this.key })}`);
      moves.results.forEach((entry) => this.#write(entry));
      this.#follow();
    } catch (problem) {
      this.lost = problem;
    }
    this.#tell();
  }

  close() {
    this.#stop();
    clearTimeout(this.#timer);
    clearTimeout(this.#looking);
    this.closed = true;
  }

  /** Play one of the view's `legal`. Resolves to whether it was played. */
  async play(action) {
    const guess = this.guesses?.(this.view, action) ?? this.view;
    return this.#send(`${this.path}/moves`, { version: this.version, action }, guess);
  }

  /** What else one may do at a table: "seats", "resignation", "claims" ... */
  async act(name, body) {
    return this.#send(`${this.path}/${name}${query({ key: this.key })}`, body, null);
  }

  async join() {
    if (!(await this.#told(somebody()))) return;
    await this.act("seats");
    this.#follow(); // from now on as the one who sits there
  }

  /** Resolves to whether the seat was left. */
  async leave() {
    return this.#told(remove(`${this.path}/seats/me`).then(() => true));
  }

  /** The next match, or null if that was refused. */
  async rematch() {
    return this.#told(post(`${this.path}/rematch`));
  }

  /** What was asked for; null if it was refused, and the problem is told. */
  async #told(asked) {
    try {
      return await asked;
    } catch (problem) {
      this.problem = problem;
      this.#tell();
      return null;
    }
  }

  /** Tell the player something about a move that was never sent. */
  say(words) {
    this.problem = { message: words };
    this.#tell();
  }

  async #send(path, body, guess) {
    if (this.busy) return false;
    this.busy = true;
    this.problem = null;
    this.#guess = guess && { ...guess, legal: [] };
    this.#tell();
    try {
      this.#adopt(await post(path, body, { onWait: () => this.#line(false) }));
      this.#line(true);
      return true;
    } catch (problem) {
      this.problem = problem;
      if (problem.status === 409) await this.refresh().catch(() => {});
      return false;
    } finally {
      this.busy = false;
      this.#guess = null;
      this.#tell();
      this.#pump();
    }
  }

  async refresh() {
    this.#adopt(await get(this.path + query({ key: this.key })));
    this.#tell();
  }

  forgive() {
    this.problem = null;
    this.#tell();
  }

  /** While held, what others do is not shown: the player still reads how a deal has ended. */
  hold(held) {
    this.#held = held;
    this.#pump();
  }

  #follow(after = this.version) {
    this.#stop();
    clearTimeout(this.#looking);
    this.#stop = follow(this.path, this.key, after, {
      onEvent: (event) => (this.#queue.push(event), this.#pump()),
      onLine: (live) => this.#line(live),
      onEnd: (status) => this.#end(status),
    });
  }

  #end(status) {
    if (status === 204) return this.#line(true), this.#look();
    this.lost = { message: "You cannot watch this match any more.", status };
    this.#tell();
  }

  /** What is over may be taken back into play, and no event tells: it is looked at now and then. */
  #look() {
    this.#looking = setTimeout(async () => {
      const { version } = this;
      if (!document.hidden) await this.refresh().catch(() => {});
      if (this.closed) return;
      const goesOn = this.version > version || ["open", "playing"].includes(this.match.status);
      goesOn ? this.#follow(version) : this.#look();
    }, LOOK);
  }

  #line(live) {
    if (live === this.live) return;
    this.live = live;
    this.#tell();
  }

  #adopt(match) {
    if (match.version < this.version) return;
    this.key ??= match.key ?? null;
    this.match = match;
    if (this.#held) return; // what is new comes by the events, afterwards
    this.version = match.version;
    this.view = match.view;
  }

  /** Show what has come, one after the other and not faster than can be followed. */
  #pump() {
    if (this.busy || this.closed || !this.#queue.length) return;
    const known = this.#queue[0].version <= this.version;
    if (this.#held && !known) return;
    const behind = this.#queue.length > MOST_BEHIND || document.hidden;
    const wait = known || behind ? 0 : this.#shown + PACE - performance.now();
    clearTimeout(this.#timer);
    if (wait > 0) {
      this.#timer = setTimeout(() => this.#pump(), wait);
    } else {
      this.#show(this.#queue.shift());
      this.#pump();
    }
  }

  #show(event) {
    this.#write(event);
    if (event.version > this.version) {
      const ended = event.view?.result?.deal !== this.view?.result?.deal;
      const table = event.last.seat === TABLE || !event.view || event.view.turn === null;
      this.#shown = performance.now();
      this.version = event.version;
      this.view = event.view;
      if (ended || table || this.match.clock) this.refresh().catch(() => {}); // scores, deadlines
    }
    this.#tell();
  }

  #write({ version, at, last, words }) {
    if (this.log.some((entry) => entry.version === version)) return;
    this.log = [...this.log, { version, at, last, words }].sort((a, b) => a.version - b.version);
    this.log = this.log.slice(-2 * LOG);
  }

  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell() {
    this.#listeners.forEach((listener) => listener());
  }
}

/** Draw again whenever the store has something new; heard from the first drawing on. */
export function useStore(store) {
  const [, again] = useReducer((n) => n + 1, 0);
  useLayoutEffect(() => store.subscribe(again), [store]); // an effect would come too late for some
  return store;
}
