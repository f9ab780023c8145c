// Time at a table: how long whoever is to move still has, and what the others may claim after that.
import { serverTime } from "./api.js";
import { html, useEffect, useReducer } from "./html.js";

/** Draws again every second while there is a time to tell. */
function useSeconds(running) {
  const [, again] = useReducer((n) => n + 1, 0);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(again, 1000);
    return () => clearInterval(timer);
  }, [running]);
}

/** What is awaited of a player now; null if the turn has passed on meanwhile. */
const awaited = (match, view) => (match.awaiting && !match.awaiting.bot && match.awaiting.seat === view?.turn ? match.awaiting : null);

/** The time left of the seat that is to move. */
export function Deadline({ match, view }) {
  const deadline = awaited(match, view)?.deadline;
  useSeconds(Boolean(deadline));
  if (!deadline) return null;
  const left = Math.max(0, Math.round((Date.parse(deadline) - serverTime()) / 1000));
  return html`<span class="left ${left < 10 ? "short" : ""}" role="timer" aria-label="${left} seconds left">${spelled(left)}</span>`;
}

function spelled(seconds) {
  if (seconds >= 172_800) return `${Math.floor(seconds / 86_400)} days`;
  if (seconds >= 7200) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** When bots come to a table that waits for players. */
export function Fills({ match }) {
  useSeconds(Boolean(match.fills_at));
  if (!match.fills_at) return null;
  const left = Math.max(0, Math.round((Date.parse(match.fills_at) - serverTime()) / 1000));
  return html`<p>${left ? `Bots take the empty seats in ${spelled(left)}.` : "Bots are coming."}</p>`;
}

const CLAIMS = { win: "Claim the win", bot: "Let a bot play on" };

/** Once a player's time is up, the others may say what becomes of the match. */
export function Claims({ store, match, view, name }) {
  const claims = awaited(match, view)?.claims;
  const mine = match.you !== null && match.awaiting?.seat !== match.you;
  useSeconds(Boolean(claims && mine));
  if (!claims || !mine || Date.parse(claims.at) > serverTime()) return null;
  return html`<div class="controls claims" role="group" aria-label="The time is up">
    <span>${name(match.awaiting.seat)} has let the time pass.</span>
    ${claims.take.map((take) => html`<button type="button" class="button" key=${take} onClick=${() => store.act("claims", { take })}>${CLAIMS[take]}</button>`)}
  </div>`;
}
