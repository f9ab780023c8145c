// More ways to play a game: against whom, by which rules, how fast, seen by whom.
import { post } from "../api.js";
import { game } from "../games.js";
import { html, useState } from "../html.js";
import { go } from "../router.js";
import { sentence } from "../words.js";
import { somebody, useWho } from "../who.js";
import { differences, Options } from "./options.js";
import { seats as seatsInWords, usual } from "./start.js";

export const title = ({ kind }) => (kind ? `Play ${kind.title}` : "Play");
export const prepare = async ({ game: name, with: way, whom }) => ({ kind: await game(name), with: way, whom });

const WITH = { bots: "bots", now: "people, now", people: "whoever opens the link", one: "somebody by name" };
const SHORT = 30; // points
const CLOCKS = { "": "as long as one likes", 30: "30 seconds", 60: "a minute", 300: "5 minutes", days: "3 days" };

export default function Play({ kind, problem, with: way = "bots", whom = "" }) {
  const player = useWho();
  const [refused, tell] = useState(problem);
  const [wish, set] = useState(() => ({ seats: kind?.seats[0], preset: "", bot: usual(kind?.bots ?? []), with: way, whom, options: {} }));
  if (!kind) return html`<h1>There is no such game</h1><p>${problem?.message}</p><p><a href="/">To the start page</a></p>`;
  const change = (field) => ({ target }) => set({ ...wish, [field]: target.type === "checkbox" ? target.checked : target.value });
  const alone = kind.seats.at(-1) === 1;
  const usualRules = Object.keys(kind.presets).find((name) => !differences(kind.options, kind.presets[name]));
  const { [usualRules]: _, ...presets } = same(Object.keys(kind.presets));
  const told = differences(kind.options, kind.presets[wish.preset] ?? {});
  const { target: _usual, ...others } = wish.options;
  const shorten = ({ target }) => set({ ...wish, options: target.checked ? { ...others, target: SHORT } : others });
  const botted = !alone && wish.with !== "people" && !(wish.with === "one" && Number(wish.seats) === 2); // is a seat left for them?
  const practise = ({ target }) => set({ ...wish, options: { ...wish.options, practice: target.checked || undefined } });
  async function begin(event) {
    event.preventDefault();
    tell(null);
    try {
      await somebody();
      const match = await (wish.with === "now" ? post("/matches/quick", common(kind, wish)) : post("/matches", table(kind, wish)));
      go(`/matches/${match.id}${match.key ? `?key=${match.key}` : ""}`);
    } catch (problem) {
      tell(problem);
    }
  }
  return html`<h1>${kind.title}</h1>
    <p class="lead">${seatsInWords(kind.seats)}. <a href="/docs/rules-${kind.name}.md">The rules</a> · <a href="/boards/${kind.name}">Who is best</a></p>
    <form class="form play" onSubmit=${begin}>
      <div class="form">
      ${!alone && html`<fieldset><legend>Against</legend>${Object.entries(WITH).map(([name, words]) => html`<label key=${name}>
        <input type="radio" name="with" value=${name} checked=${wish.with === name} onChange=${change("with")} /> ${words}</label>`)}</fieldset>
      <p class="soft beneath">${HINTS[wish.with]}</p>`}
      ${wish.with === "one" && html`<label>Whom <input required value=${wish.whom} onInput=${change("whom")} autocapitalize="none" spellcheck="false" /></label>`}
      ${kind.seats.length > 1 && html`<${Choice} label="Seats" value=${wish.seats} on=${change("seats")} of=${same(kind.seats)} />`}
      ${botted && html`<${Choice} label=${wish.with === "now" ? "Bots, if nobody else comes" : "Bots"} value=${wish.bot} on=${change("bot")} of=${same(kind.bots)} />`}
      ${Object.keys(presets).length > 0 && html`<${Choice} label="Rules" value=${wish.preset} on=${change("preset")} of=${{ "": usualRules ? `${sentence(usualRules)}, as usual here` : "as usual here", ...presets }} />`}
      ${told && html`<p class="soft beneath">${sentence(told)}</p>`}
      ${"target" in kind.options.properties && html`<label><input type="checkbox" checked=${wish.options.target === SHORT} onChange=${shorten} /> A short match, to ${SHORT} points: it is not rated</label>`}
      ${!alone && html`<${Choice} label="Time for a move" value=${wish.clock ?? ""} on=${change("clock")} of=${CLOCKS} />`}
      ${!alone && wish.with !== "now" && html`<label><input type="checkbox" checked=${wish.private} onChange=${change("private")} /> Private: only who has the link sees it</label>`}
      ${"practice" in kind.options.properties && html`<label><input type="checkbox" checked=${wish.options.practice} onChange=${practise} /> Practice: undo and hints, counts for nothing</label>`}
      ${!alone && player && !player.guest && !("practice" in kind.options.properties) && html`<label><input type="checkbox" checked=${wish.hints} onChange=${change("hints")} /> Hints: it counts for nothing then</label>`}
      ${refused && html`<p class="refusal" role="alert">${refused.errors?.map((each) => each.detail).join(" ") || refused.message}</p>`}
      <button class="button main">Sit down</button>
      ${(!player || player.guest) && html`<p class="soft">Guests play without counting for the boards${!alone && ", with hints"}. <a href="/sign-in">Sign in</a> to be ranked.</p>`}
      </div>
      <${Options} schema=${kind.options} preset=${kind.presets[wish.preset] ?? {}} values=${wish.options} onChange=${(options) => set({ ...wish, options })} />
    </form>`;
}

const HINTS = {
  bots: "The match begins at once.",
  now: "You sit down with whoever else wants to play; after half a minute bots take the empty seats.",
  people: "You get a link to hand out; the table is also listed under Tables unless it is private.",
  one: "A seat is kept for that player, who finds it under his name in the bar; bots take any others.",
};

const same = (names) => Object.fromEntries(names.map((name) => [name, sentence(String(name).replaceAll("_", " "))]));

function Choice({ label, value, on, of }) {
  return html`<label>${label} <select value=${value} onChange=${on}>
    ${Object.entries(of).map(([name, words]) => html`<option key=${name} value=${name}>${words}</option>`)}</select></label>`;
}

/** What both ways of making a match are told. */
function common(kind, { seats, preset, options, clock, bot, hints, with: whom }) {
  const body = { game: kind.name, options: { ...(preset && { preset }), ...options } };
  if (clock) body.clock = clock === "days" ? { days: 3 } : { seconds: Number(clock) };
  if (hints) body.rated = false;
  if (whom === "now") Object.assign(body, { seats: Number(seats), bots: bot });
  return body;
}

function table(kind, wish) {
  const others = Array.from({ length: Number(wish.seats) - 1 }, () => (wish.with === "people" ? "open" : { bot: wish.bot }));
  if (wish.with === "one") others[0] = { invite: wish.whom.trim() };
  return { ...common(kind, wish), seats: ["me", ...others], visibility: wish.private ? "private" : "public" };
}
