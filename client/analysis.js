// What the coach says of a match that is over: asked for, waited for, then the worst moves and what was luck.
import { get, post, query } from "./api.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { dealWord, nameOf, sentence, spoken } from "./words.js";

const AGAIN = 1500; // ms until it is asked how far it is
const WORST = 3;

/** `onChoose(version, seat)`: show that moment as that seat saw it. */
export function Analysis({ replay, onChoose }) {
  const { match } = replay;
  const [open, set] = useState(false);
  const [found, tell] = useState(null);
  const [problem, refuse] = useState(null);
  const [stopped, stop] = useState(false);
  const element = useRef(null);
  const path = `${replay.path}/analysis${query({ key: replay.key })}`;
  const waits = open && !stopped && (!found || ["queued", "running"].includes(found.status));
  const hear = (now) => (tell(now), refuse(null));
  useEffect(() => {
    if (!waits) return undefined;
    const look = () => get(path, { onWait: refuse }).then(hear, (why) => (refuse(why), stop(true)));
    const timer = setTimeout(look, found ? AGAIN : 0);
    return () => clearTimeout(timer);
  }, [waits, found]);
  const ask = () => post(path, {}, { onWait: refuse }).then(hear, refuse);
  const again = () => (refuse(null), stop(false));
  useEffect(() => { // on a phone it is below the fold
    const below = element.current.getBoundingClientRect().top > innerHeight / 2;
    if (open && found && below) element.current.scrollIntoView();
  }, [open, found?.status]);
  return html`<details class="analysis" ref=${element} open=${open} onToggle=${({ target }) => set(target.open)}>
    <summary>Analysis</summary>
    <div class="found">
      ${problem && html`<p class="refusal" role="alert"><span>${problem.message}</span></p>`}
      ${stopped && html`<p><button type="button" class="button" onClick=${again}>Look again</button></p>`}
      ${found && html`<${Told} ...${{ match, found, ask, onChoose }} />`}
    </div>
  </details>`;
}

function Told({ match, found, ask, onChoose }) {
  const { status, done, total, error, result } = found;
  const mine = match.you !== null;
  const button = mine && html`<p><button type="button" class="button main" onClick=${ask}>Analyse the match</button></p>`;
  if (status === "none") {
    return html`<p>${mine
      ? "Every decision is judged from what its seat knew. It takes seconds to minutes."
      : "None of the players has had this match analysed."}</p>${button}`;
  }
  if (status === "failed") return html`<p role="alert">It has failed. ${error}</p>${button}`;
  if (status !== "done") {
    return html`<p><label>Decisions judged <progress max=${total || 1} value=${done}></progress></label>
      <span role="status">${done ? `${done} of ${total}` : "It waits for a worker."}</span></p>`;
  }
  const seats = [...result.seats].sort((a, b) => (b.seat === match.you) - (a.seat === match.you));
  return html`${result.moments.map((moment) => html`<${Moment} key=${moment.deal} ...${{ moment, onChoose }} />`)}
    ${seats.map((report) => html`<${Seat} key=${report.seat} ...${{ match, result, report, onChoose }} />`)}
    <p class="note">Judged by guessed deals from what each seat knew then. Only what is sure is called a mistake.</p>`;
}

/** A seat's decisions: what of its result was luck, and its mistakes, the worst first. */
function Seat({ match, result, report, onChoose }) {
  const [all, show] = useState(false);
  const own = result.decisions.filter(({ seat, mistake }) => seat === report.seat && mistake);
  const mistakes = own.sort((a, b) => b.loss.points - a.loss.points);
  const kinds = Object.entries(report.kinds).map(([kind, count]) => `${kind.replaceAll("_", " ")} ${count}`);
  return html`<section aria-label="Analysis of ${nameOf(match, report.seat)}">
    <h3>${nameOf(match, report.seat)}</h3>
    ${report.result && html`<${Split} ...${report.result} />`}
    ${report.decisions > 0 && html`<p>${counted(mistakes.length, "mistake")} in ${counted(report.decisions, "decision")}${kinds.length > 0 && `: ${kinds.join(", ")}`}.
      In all ${lost(report.loss)}.</p>`}
    ${mistakes.length > 0 && html`<ol>${mistakes.slice(0, all ? undefined : WORST).map((one) => html`<li key=${one.version}>
      <button type="button" onClick=${() => onChoose(one.version, one.seat)}>
        <strong>${sentence(spoken(one.words))}</strong>${one.bot && match.seats[one.seat].player ? ` (bot ${one.bot})` : ""}, ${dealWord(match)} ${one.deal}.
        <span>Better: <b>${spoken(one.better_words)}</b>. ${spoken(one.reason ?? "")}</span> <small>${sentence(lost(one.loss))}.</small></button></li>`)}</ol>`}
    ${mistakes.length > WORST && html`<p><button type="button" class="button" aria-expanded=${all} onClick=${() => show(!all)}>${all ? "Only the worst" : `All ${mistakes.length}`}</button></p>`}
  </section>`;
}

/** What of a seat's result was by decisions and what by the cards. */
function Split({ margin, skill, luck }) {
  const rows = { "by the decisions of both sides": skill, "by the cards": luck };
  return html`<p>${Math.abs(margin)} points ${margin < 0 ? "behind" : "ahead"}:</p>
    <dl class="split">${Object.entries(rows).map(([words, { points, low, high }]) => html`<div key=${words}>
      <dt>${words}</dt><dd>${signed(points)} <small>95 %: ${signed(low)} to ${signed(high)}</small></dd></div>`)}</dl>`;
}

function Moment({ moment, onChoose }) {
  const { deal, version, words } = moment;
  const told = `Round ${deal}: ${spoken(words)}`;
  return version === null ? html`<p>${told}</p>` : html`<p><button type="button" class="moment" onClick=${() => onChoose(version, 0)}>${told}</button></p>`;
}

const signed = (points) => `${points > 0 ? "+" : points < 0 ? "−" : ""}${Math.abs(points).toFixed(1)}`;
const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const lost = (loss) => `${interval(loss)} lost`;

/** "6.2 points (95 %: 3.1 to 9.3, 512 deals)" */
function interval({ points, low, high, samples }) {
  const sure = samples > 1 ? ` (95 %: ${low.toFixed(1)} to ${high.toFixed(1)}, ${samples} guessed deals)` : "";
  return `${points.toFixed(1)} points${sure}`;
}
