// More ways to play a game: its presets, bots, open and private tables.
import { post } from "../api.js";
import { game } from "../games.js";
import { html, useState } from "../html.js";
import { go } from "../router.js";
import { somebody, useWho } from "../who.js";
import { seats as seatsInWords, usual } from "./start.js";

export const title = ({ kind }) => (kind ? `Play ${kind.title}` : "Play");
export const prepare = async ({ game: name }) => ({ kind: await game(name) });

export default function Play({ kind, problem }) {
  const player = useWho();
  const [refused, tell] = useState(problem);
  const [wish, set] = useState(() => ({ seats: kind?.seats[0], preset: "", bot: usual(kind?.bots ?? []), with: "bots", private: false, clock: "", practice: false }));
  if (!kind) return html`<h1>There is no such game</h1><p>${problem?.message}</p><p><a href="/">To the start page</a></p>`;
  const change = (field) => (event) => set({ ...wish, [field]: event.target.type === "checkbox" ? event.target.checked : event.target.value });
  const alone = kind.seats.at(-1) === 1;
  const practice = "practice" in (kind.options.properties ?? {});
  async function begin(event) {
    event.preventDefault();
    tell(null);
    try {
      await somebody();
      const match = await post("/matches", body(kind, wish));
      go(`/matches/${match.id}${match.key ? `?key=${match.key}` : ""}`);
    } catch (problem) {
      tell(problem);
    }
  }
  return html`<h1>${kind.title}</h1><p class="lead">${seatsInWords(kind.seats)}. <a href="/boards/${kind.name}">Who is best</a></p>
    <form class="form" onSubmit=${begin}>
      ${!alone && html`<fieldset><legend>Against</legend>
        <label><input type="radio" name="with" value="bots" checked=${wish.with === "bots"} onChange=${change("with")} /> bots</label>
        <label><input type="radio" name="with" value="people" checked=${wish.with === "people"} onChange=${change("with")} /> whoever sits down</label>
      </fieldset>`}
      ${kind.seats.length > 1 && html`<label>Seats <select value=${wish.seats} onChange=${change("seats")}>
        ${kind.seats.map((n) => html`<option key=${n} value=${n}>${n}</option>`)}</select></label>`}
      ${!alone && wish.with === "bots" && html`<label>The bots play <select value=${wish.bot} onChange=${change("bot")}>
        ${kind.bots.map((bot) => html`<option key=${bot} value=${bot}>${bot}</option>`)}</select></label>`}
      <label>Rules <select value=${wish.preset} onChange=${change("preset")}>
        <option value="">as usual here</option>
        ${Object.keys(kind.presets).map((name) => html`<option key=${name} value=${name}>${name.replaceAll("_", " ")}</option>`)}</select></label>
      ${!alone && html`<label>Time for a move <select value=${wish.clock} onChange=${change("clock")}>
        <option value="">as long as one likes</option><option value="30">30 seconds</option><option value="60">a minute</option><option value="300">5 minutes</option></select></label>
      <label><input type="checkbox" checked=${wish.private} onChange=${change("private")} /> Private: only who has the link</label>`}
      ${practice && html`<label><input type="checkbox" checked=${wish.practice} onChange=${change("practice")} /> Practice: undo and hints, counts for nothing</label>`}
      ${refused && html`<p class="refusal" role="alert">${refused.message}</p>`}
      <button class="button main">Sit down</button>
      ${!player?.name || player.guest ? html`<p class="soft">Guests play without counting for the boards. <a href="/sign-in">Sign in</a> to be ranked.</p>` : null}
    </form>`;
}

function body(kind, wish) {
  const other = wish.with === "people" ? "open" : { bot: wish.bot };
  const options = {};
  if (wish.preset) options.preset = wish.preset;
  if (wish.practice) options.practice = true;
  return {
    game: kind.name,
    seats: ["me", ...Array.from({ length: Number(wish.seats) - 1 }, () => other)],
    options,
    visibility: wish.private ? "private" : "public",
    ...(wish.clock && { clock: { seconds: Number(wish.clock) } }),
  };
}
