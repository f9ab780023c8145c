// Help in a practice match: undo, hints, whether it can still be cleared, the same or another deal.
import { get, post } from "../../api.js";
import { usePressOutside } from "../../focus.js";
import { html, useEffect, useRef, useState } from "../../html.js";
import { go } from "../../router.js";
import { actionWords, withSigns } from "../../words.js";

/** A hint is good for one position: it is gone with the next version. */
export function useHint(store, match, tell) {
  const [given, set] = useState(null);
  const fresh = given && given.version === store?.version ? given.best[0].action : null;
  async function ask() {
    if (!store || !match.options.practice || match.status !== "playing") return;
    const hint = await get(`${store.path}/hint`).catch((problem) => tell(problem.message));
    if (!hint) return;
    set(hint);
    const [best] = hint.best;
    tell(`Hint: ${lower(told(best.action))}. ${withSigns(best.reason)}`);
  }
  return { cards: fresh?.cards ?? [], type: fresh?.type ?? null, ask, forget: () => set(null) };
}

const lower = (words) => words[0].toLowerCase() + words.slice(1);
const told = (action) => actionWords(action).replace(/([♣♦♥♠]) /, "$1 and ");

export function Practice({ store, match, hint, tell, undo }) {
  const [line, show] = useState(null);
  useEffect(() => show(null), [match.version]);
  async function ask() {
    tell("Looking …");
    const found = await post(`${store.path}/clearable`).catch((problem) => tell(problem.message));
    if (!found) return;
    show(found.line);
    tell({ yes: `Yes: it can still be cleared, in ${found.line?.length} moves.`, no: "No: it cannot be cleared any more.",
           unknown: "Nobody knows: the solver found no end." }[found.clearable]);
  }
  return html`
    <button type="button" class="button" aria-keyshortcuts="u" disabled=${!undo} onClick=${undo || undefined}>Undo</button>
    <button type="button" class="button" aria-keyshortcuts="h" onClick=${hint.ask}>Hint</button>
    <button type="button" class="button" aria-label="Can it still be cleared?" onClick=${ask}>Clearable?</button>
    ${line && html`<details class="line"><summary>How</summary><ol tabindex="0">${line.map((action, n) => html`<li key=${n}>${told(action)}</li>`)}</ol></details>`}
    <${Deals} match=${match} store=${store} />`;
}

/** The same deal again, another, or one by its number. */
export function Deals({ match, store }) {
  const [number, set] = useState("");
  const [problem, tell] = useState(null);
  const leave = (made) => made.then(({ id }) => go(`/matches/${id}`), tell);
  function begin(more) {
    const { deal_number: _, clearable: __, ...options } = match.options;
    leave(post("/matches", { game: match.game, seats: ["me"], options: { ...options, practice: true, ...more } }));
  }
  const element = useRef(null);
  const shut = () => element.current.removeAttribute("open");
  usePressOutside(element, shut);
  return html`<details class="deals" ref=${element} onKeyDown=${({ key }) => key === "Escape" && shut()}><summary class="button">Deals …</summary><div class="drawer">
    <button type="button" class="button" onClick=${() => leave(post(`${store.path}/restart`))}>This deal again</button>
    <button type="button" class="button" onClick=${() => begin({})}>Another deal</button>
    <button type="button" class="button" onClick=${() => begin({ clearable: true })}>One that can be cleared</button>
    <form class="by-number" onSubmit=${(event) => (event.preventDefault(), begin({ deal_number: Number(number) }))}>
      <label>Deal number <input type="number" required min="1" max="1000000" value=${number} onInput=${(event) => set(event.target.value)} /></label>
      <button class="button">Deal</button></form>
    ${problem && html`<p class="wrong" role="alert">${problem.message}</p>`}
  </div></details>`;
}
