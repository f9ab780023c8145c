// What one is advised, in matches that give hints: the best actions with their points and reasons.
import { get } from "./api.js";
import { useKeys } from "./focus.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { advised, pointsOf, spoken } from "./words.js";

const MEANING = "Points: what this deal should bring you, less what it brings the others; in brackets, how far that may be off.";

/** `ask`, a button, and the `advice` it brings; good for one position, and gone with the next version. */
export function useHint({ store, match, view, you, play }) {
  const [given, set] = useState(null);
  const panel = useRef(null);
  const button = useRef(null);
  const close = () => (set(null), button.current.focus());
  const offered = match.hints && !match.options.practice && match.status === "playing" && you !== null;
  const mine = offered && view?.turn === you;
  const fresh = mine && given?.version === store.version ? given : null;
  useEffect(() => fresh && panel.current?.focus(), [fresh]);
  async function ask() {
    if (!mine || store.busy) return;
    const hint = await get(`${store.path}/hint`).catch((problem) => store.say(problem.message));
    if (hint) set(hint);
  }
  useKeys({ h: ask });
  if (!offered) return { ask: null, advice: null };
  const top = store.view.discards?.at(-1); // not of a guess
  const asks = html`<button type="button" class="ask" ref=${button} aria-keyshortcuts="h" aria-expanded=${Boolean(fresh)} disabled=${!mine} onClick=${fresh ? close : ask}>Hint</button>`;
  const advice = fresh && html`<section class="hint" ref=${panel} tabindex="-1" aria-label="Hint" onKeyDown=${({ key }) => key === "Escape" && close()}>
    <button type="button" class="quiet" aria-label="Close the hint" onClick=${close}>✕</button>
    <ol>${fresh.best.map((one, n) => html`<li key=${n}>
      <button type="button" class="button ${n ? "" : "main"}" onClick=${() => play(one.action)}>Play: ${advised(one, top)}</button>
      ${one.points !== null && html`<b title=${MEANING}>${pointsOf(one)}</b>`}
      <span>${spoken(one.reason)}</span></li>`)}</ol>
    <p class="soft">${MEANING}</p>
  </section>`;
  return { ask: asks, advice };
}
