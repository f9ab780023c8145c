// The start page: play against a bot at once, or see who plays.
import { get, post } from "../api.js";
import { Row } from "../cards.js";
import { games } from "../games.js";
import { html, useEffect, useState } from "../html.js";
import { go } from "../router.js";
import { somebody, useWho } from "../who.js";
import { Matches, useList } from "./lists.js";

export const title = "Card games with a fair referee";
export const prepare = async () => ({ kinds: await games() });

const FANS = [["AS", "2S", "3S", "7H", "7D"], ["QC", "QH", "QS", "4D"], ["KD", "9C", "4H"]];

export default function Start({ kinds = [], problem }) {
  const mine = useMine();
  useEffect(() => { // a game pressed before is not begun when somebody comes back later
    if (problem) delete document.body.dataset.pressed;
  }, [problem]);
  return html`
    <section class="hero">
      <h1>Card games with a fair referee</h1>
      <p class="lead">Sit down and play. Every move is checked against the rules and kept, and when
        the match is over every shuffle <a href="/docs/fairness.md">can be checked</a>.</p>
    </section>
    ${problem && html`<p class="refusal" role="alert">${problem.message}</p>`}
    <div class="tiles">${kinds.map((kind, n) => html`<${Tile} key=${kind.name} kind=${kind} fan=${FANS[n % FANS.length]} mine=${mine.filter(({ game }) => game === kind.name)} />`)}</div>
    <div class="columns">
      <${Listed} heading="Open tables" query="?seats=open&limit=6" none=${html`Nobody waits at a table now. <a href="/tables">Open one</a>: others see it here.`} />
      <${Listed} heading="Being played" query="?status=playing&limit=6" none="Nobody plays now." />
      <${Listed} heading="Just ended" query="?status=finished&limit=6" none="No match has ended yet." place="/replay" />
    </div>
    <p><a href="/tables">All tables</a></p>`;
}

/** One's own matches that are being played: whoever comes back goes on with them. */
function useMine() {
  const me = useWho()?.name;
  const [mine, set] = useState([]);
  useEffect(() => {
    if (!me) return void set([]);
    get("/matches?player=me&status=playing&limit=50").then(({ results }) => set(results), () => {}); // they are on /me too
  }, [me]);
  return mine;
}

function Tile({ kind, fan, mine }) {
  const [level, choose] = useState(usual(kind.bots));
  const [busy, set] = useState(false);
  const [problem, tell] = useState(null);
  const alone = kind.seats[0] === 1;
  async function play() {
    set(true);
    tell(null);
    try {
      await somebody();
      go(await begin(kind, level, tell));
    } catch (refused) {
      tell(refused);
      set(false);
    }
  }
  useEffect(() => { // pressed before all this was there
    if (document.body.dataset.pressed !== kind.name) return;
    delete document.body.dataset.pressed;
    play();
  }, []);
  return html`<section class="tile felt" aria-labelledby="tile-${kind.name}">
    <span class="fan" aria-hidden="true"><${Row} cards=${fan} /></span>
    <h2 id="tile-${kind.name}">${kind.title}</h2>
    <p>${mine.length
      ? html`<a href=${mine.length > 1 ? "/me" : `/matches/${mine[0].id}`}>${mine.length > 1 ? `Go on with one of your ${mine.length}` : "Go on with your match"} →</a>`
      : seats(kind.seats)}</p>
    ${!alone && html`<label class="level">Against
      <select value=${level} onChange=${(event) => choose(event.target.value)}>
        ${kind.bots.map((bot) => html`<option key=${bot} value=${bot}>${bot === "random" ? "a random bot" : `the ${bot} bot`}</option>`)}
      </select></label>`}
    <div class="controls">
      <button type="button" class="button main" disabled=${busy} onClick=${play}>${busy ? "Dealing …" : "Play now"}</button>
      <a class="button" href="/play/${kind.name}">More ways</a>
    </div>
    ${problem && html`<p class="refusal" role="alert">${problem.message}</p>`}
  </section>`;
}

/** The address of a new match against a bot, or alone; `onWait` hears why it takes longer. */
async function begin(kind, level, onWait) {
  const others = Array.from({ length: kind.seats[0] - 1 }, () => ({ bot: level }));
  const match = await post("/matches", { game: kind.name, seats: ["me", ...others] }, { onWait });
  return `/matches/${match.id}`;
}

export const usual = (bots) => bots.find((bot) => bot === "easy") ?? bots[0];
export const seats = (numbers) =>
  numbers.at(-1) === 1 ? "For one player" : numbers.length === 1 ? `For ${numbers[0]} players` : `For ${numbers[0]} to ${numbers.at(-1)} players`;

function Listed({ heading, query, none, place }) {
  const list = useList(`/matches${query}`);
  return html`<section><h2>${heading}</h2><${Matches} list=${{ ...list, more: null }} none=${none} place=${place} /></section>`;
}
