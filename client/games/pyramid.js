// Pyramid: a first click chooses a card, a second on one that fits removes both; kings go at once.
import { Card, name as nameOf, short } from "../cards.js";
import { drag } from "../drag.js";
import { playing, useFocusKept, useKeys } from "../focus.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { useWho } from "../who.js";
import { Ended } from "./pyramid/ended.js";
import { Piles, Removed } from "./pyramid/piles.js";
import { Practice, useHint } from "./pyramid/practice.js";
import { bonus, coverers, lastMove, openCards, partner, refusal, removal, rowOf, unfit, whyClosed } from "./pyramid/rules.js";
import { arrows } from "./pyramid/steps.js";

export { guess, todo } from "./pyramid/rules.js";
export { Showdown } from "./pyramid/ended.js";
export const styleSheets = ["games/pyramid/pyramid.css"];
export const goOn = "Go on";
export const origin = (card, view) => (view.last?.action.type === "deal" ? "draw" : null);

export function Board({ view, match, store, busy, you, play }) {
  const root = useRef(null);
  const [chosen, choose] = useState(null);
  const [told, tell] = useState("");
  const late = useRef([]); // what was clicked while a move was under way
  const hint = useHint(store, match, tell);
  const open = openCards(view);
  const first = open.has(chosen) ? chosen : null;
  const top = view.draw[0];
  const mine = you !== null && view.turn === you && match.status === "playing";
  const last = lastMove(view);
  const may = (type) => view.legal.some((action) => action.type === type);
  useFocusKept(root, () => root.current.querySelector("button.lies:not([aria-disabled]), .controls button"));
  useEffect(() => {
    const [what, which] = (!busy && late.current.shift()) || [];
    if (what) ({ pick, act, drop })[what](which);
  });

  function send(action) {
    choose(null);
    tell("");
    hint.forget();
    return play(action);
  }
  function pick(card) {
    if (!mine) return;
    if (busy) return void late.current.push(["pick", card]);
    if (!open.has(card)) return view.pyramid.includes(card) && tell(whyClosed(view, card));
    const alone = removal(view, card);
    if (alone) return send(alone);
    if (card === first) return card === top && may("draw") ? send({ type: "draw" }) : (choose(null), tell(""));
    const both = first && removal(view, first, card);
    if (both) return send(both);
    choose(card);
    tell(`${first ? `${unfit(first, card)} ` : ""}${short(card)} needs ${partner(card)}.${card === top ? " Once more puts it on the waste." : ""}`);
  }
  /** A card dragged onto another, or onto one of the piles. */
  function drop([card, where]) {
    if (!mine || !where) return;
    if (busy) return void late.current.push(["drop", [card, where]]);
    const both = removal(view, card) ?? removal(view, card, where);
    if (both) return send(both);
    if (card === top && (where === "waste" || where === view.waste.at(-1))) return act("draw");
    if (!where[2]) tell(open.has(where) ? unfit(card, where) : whyClosed(view, where));
  }
  function act(type) {
    if (mine && busy) return void late.current.push(["act", type]);
    return may(type) ? send({ type }) : mine && tell(refusal(view, type));
  }
  const draw = () => act("draw");
  const redeal = () => act("redeal");
  const enter = () => playing(root.current) && root.current.querySelector(".lies:not(.closed)")?.focus();
  useKeys({ d: draw, s: draw, arrowleft: enter, arrowright: enter, arrowup: enter, arrowdown: enter, r: redeal, n: () => act("next_round"), u: () => act("undo"), h: hint.ask });

  const lies = (card, place) => {
    const closed = !open.has(card);
    const covered = place != null && closed ? coverers(view, place).map(nameOf) : [];
    const label = `${nameOf(card)}${covered.length ? `, covered by ${covered.join(" and ")}` : ""}`;
    return html`<button type="button" key=${card} data-card=${card} aria-label=${label} aria-pressed=${card === first}
      aria-disabled=${closed || !mine ? "true" : undefined} tabindex=${closed ? -1 : 0}
      class="lies ${closed ? "closed" : ""} ${covered.length > 1 ? "buried" : ""} ${card === first ? "chosen" : ""} ${hint.cards.includes(card) ? "hinted" : ""}"
      style=${place == null ? {} : { "--r": rowOf(place), "--i": place - (rowOf(place) * (rowOf(place) + 1)) / 2 }}
      data-drop=${card} onPointerDown=${(event) => mine && !closed && drag(event, { onDrop: (where) => drop([card, where]) })} onClick=${() => pick(card)}><${Card} card=${card} bare /></button>`;
  };
  return html`<div class="pyramid" aria-busy=${busy} ref=${root} onKeyDown=${(event) => arrows(event, root.current)}><div class="ground">
    <${Facts} view=${view} match=${match} />
    <${Removed} cards=${view.removed} />
    <div class="heap" role="group" aria-label="Pyramid">${view.pyramid.map((card, place) => card && lies(card, place))}
      ${view.phase === "cleared" && html`<p class="cleared">Cleared!</p>`}</div>
    <${Piles} view=${view} lies=${lies} mine=${mine} redeal=${redeal} hinted=${hint.type} />
    </div>
    <p class="said" role="status">${told || (mine && view.removed.length + view.waste.length === 0 && html`<${Unposted} match=${match} />`)}</p>
    ${mine || busy
      ? html`<div class="controls" role="group" aria-label="What you may do">
          ${view.draw.length > 0 && html`<button type="button" class="button" aria-keyshortcuts="d" onClick=${draw}>Draw</button>`}
          ${may("redeal") && html`<button type="button" class="button" aria-keyshortcuts="r" onClick=${redeal}>Redeal</button>`}
          ${last && html`<button type="button" class="button main" onClick=${() => send(last)}>Remove ${last.cards.map(short).join(" and ")}</button>`}
          ${may("next_round") && html`<button type="button" class="button main" aria-keyshortcuts="n" onClick=${() => act("next_round")}>Next round</button>`}
          ${store && view.options.practice && html`<${Practice} store=${store} match=${match} hint=${hint} tell=${tell} undo=${may("undo") && (() => act("undo"))} />`}
        </div>`
      : store && html`<${Ended} match=${match} store=${store} />`}
  </div>`;
}

/** Told before the first move: later it would be too late. */
function Unposted({ match }) {
  const guest = useWho()?.guest;
  return guest && !match.rated && !match.options.practice && html`A guest’s score cannot go on the board. <a href="/sign-in">Take a name</a> and begin anew if it should.`;
}

function Facts({ view, match }) {
  const number = match?.options.deal_number;
  return html`<dl class="facts">
    <div><dt>Round</dt><dd>${view.deal}</dd></div>
    ${view.deal > 1 && html`<div class="points"><dt>Points</dt><dd>${view.points}</dd></div>`}
    <div><dt>${view.phase === "cleared" ? "Cleared" : "Bonus"}</dt><dd>+${bonus(view)}</dd></div>
    <div><dt>Redeals</dt><dd>${view.redeals_left}</dd></div>
    ${number && html`<div><dt>Deal</dt><dd>№ ${number + view.deal - 1}</dd></div>`}
  </dl>`;
}
