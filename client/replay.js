// What is shown of a match at any version, from any seat: read in pages, each asked for once.
import { get, query } from "./api.js";

const PAGE = 50;
export const ALL = "all";
export const SPECTATOR = "spectator";

export class Replay {
  #lines = new Map(); // by reader, a promise of them
  #pages = new Map(); // by reader and page, a promise of its events

  constructor(match, key) {
    this.match = match;
    this.key = key;
    this.path = `/matches/${match.id}`;
    this.over = !["open", "playing"].includes(match.status);
  }

  /** Who may be looked over the shoulder: everybody once it is over. */
  get readers() {
    const seats = this.match.seats.map((_, seat) => String(seat));
    if (this.over) return [...seats, SPECTATOR, ALL];
    return this.match.you === null ? [SPECTATOR] : [String(this.match.you), SPECTATOR];
  }

  usual() {
    if (this.match.you !== null) return String(this.match.you);
    return this.over ? ALL : SPECTATOR;
  }

  /** The lines of the whole match, from that reader's knowledge. */
  read(reader) {
    if (!this.#lines.has(reader)) {
      const asked = this.#readAll(reader);
      asked.catch(() => this.#lines.delete(reader));
      this.#lines.set(reader, asked);
    }
    return this.#lines.get(reader);
  }

  async #readAll(reader) {
    const lines = [];
    for (let after = 0; after < this.match.version; after += 1000) {
      const asked = query({ seat: reader, after, limit: 1000, key: this.key });
      lines.push(...(await get(`${this.path}/moves${asked}`)).results);
    }
    return lines;
  }

  /** The versions at which deals begin. */
  async deals() {
    const first = [];
    let asked = `${this.path}/deals${query({ limit: 100, key: this.key })}`;
    while (asked) {
      const { results, next } = await get(asked);
      first.push(...results.map((deal) => deal.first_version));
      asked = next && next.slice(next.indexOf("/api/"));
    }
    return first;
  }

  /** The event at a version: `view`, or for all `views` by seat. */
  async at(version, reader) {
    const page = Math.floor((version - 1) / PAGE);
    const events = await this.#page(page, reader);
    if (version - page * PAGE > PAGE / 2) this.#page(page + 1, reader); // before it is needed
    return events[version - 1 - page * PAGE];
  }

  #page(page, reader) {
    const name = `${reader} ${page}`;
    if (page * PAGE >= this.match.version) return null;
    if (!this.#pages.has(name)) {
      const values = { seat: reader, after: page * PAGE, limit: PAGE, views: true, key: this.key };
      const asked = get(`${this.path}/moves${query(values)}`).then(({ results }) => results);
      asked.catch(() => this.#pages.delete(name)); // and may be asked for again
      this.#pages.set(name, asked);
    }
    return this.#pages.get(name);
  }
}
