// Gin Rummy: two piles, a hand sorted by its melds, knocking, laying off, and how a deal ended.
import { Card, short } from "../cards.js";
import { drag } from "../drag.js";
import { useFocusKept, useKeys } from "../focus.js";
import { Hand } from "../hand.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { best } from "../melds.js";
import { arranged, Sorting, useOrder } from "../order.js";
import { Knock } from "./gin/knock.js";
import { Laid } from "./gin/laid.js";

export { guess, origin, todo } from "./gin/rules.js";
export { Showdown } from "./gin/showdown.js";
export const styleSheets = ["piles.css", "games/gin/gin.css"];

export function Board({ view, match, store, you, name, busy, play, refuse, advice }) {
  const mine = useRef(null);
  const [chosen, choose] = useState(null);
  const [knocking, knock] = useState(null);
  const [warned, warn] = useState(null); // of a card whose laying off costs points
  const order = useOrder();
  const may = (type, card) => view.legal.find((action) => action.type === type && (!card || action.card === card));
  const held = view.hand ?? [];
  const card = held.includes(chosen) ? chosen : null;
  const knocks = view.legal.filter((action) => action.type === "knock");
  const without = (card) => held.filter((each) => each !== card);
  const drawn = drawnCard(view, you);
  useEffect(() => (knock(null), choose(null)), [view.phase, view.deal]);
  useFocusKept(mine, () => mine.current.querySelector(`.held[data-card="${drawn}"]`) ?? mine.current.querySelector(".controls button, .held"));

  const draw = () => may("draw_stock") && play({ type: "draw_stock" });
  const take = () => may("take_discard") && play({ type: "take_discard" });
  const pass = () => may("pass") && play({ type: "pass" });
  const finish = () => may("finish_layoffs") && play({ type: "finish_layoffs" });
  function discard(which = card) {
    if (!which) return refuse("Choose a card first.");
    if (view.banned === which) return refuse(barred(which));
    if (may("discard", which)) return choose(null), play({ type: "discard", card: which });
    if (view.turn === you) refuse(may("draw_stock") ? "Draw a card first." : "That cannot be discarded now.");
  }
  const into = (act) => (event) => drag(event, { onDrop: (where) => where === "hand" && act() });
  function startKnock(which = card) {
    const possible = knocks.filter((action) => !which || action.card === which);
    if (knocks.length && !possible.length) return refuse(`Without ${short(which)} too many points are left to knock.`);
    if (possible.length) knock(which ?? cheapest(knocks, held));
  }
  function layOff(meld, which = card) {
    const action = view.legal.find((each) => each.type === "lay_off" && each.card === which && each.meld === meld);
    const left = action && best(without(which)).deadwood;
    if (action && left > view.deadwood && warned !== which) {
      return warn(which), choose(which), refuse(`Without ${short(which)} you have ${left} deadwood, now ${view.deadwood}. Once more lays it off all the same.`);
    }
    if (action) return choose(null), play(action);
    refuse(which ? `${short(which)} does not fit there.` : "Choose a card of your hand first.");
  }
  function dropped(which, where) {
    if (where === "pile") discard(which);
    if (where === "knock") startKnock(which);
    if (where.startsWith("meld-")) layOff(Number(where.slice(5)), which);
  }
  useKeys({ s: draw, t: take, p: pass, d: () => (may("draw_stock") ? draw() : card && discard()), k: () => startKnock(), f: finish, b: () => may("big_gin") && play({ type: "big_gin" }) });

  const top = view.discards.at(-1);
  const throwing = Boolean(may("discard") || knocks.length);
  const shown = arranged(held, order, drawn);
  return html`<div class="gin ${view.showdown ? "laying" : ""}">
    ${view.showdown
      ? html`<${Laid} showdown=${view.showdown} name=${name} mayLay=${Boolean(may("finish_layoffs"))} onMeld=${(meld) => layOff(meld)} />`
      : html`<div class="centre">
        <button type="button" class="pile stock" data-at="stock" disabled=${!may("draw_stock")} onClick=${draw} onPointerDown=${into(draw)}
          aria-label="Stock, ${view.stock_size} cards${may("draw_stock") ? ": draw" : ""}">
          <span class="count" aria-hidden="true">${view.stock_size}</span><${Card} bare /></button>
        <button type="button" class="pile discards" data-at="pile" data-drop="pile" disabled=${!may("take_discard") && !throwing}
          onClick=${() => (may("take_discard") ? take() : discard())} onPointerDown=${may("take_discard") && into(take)} aria-label=${pileName(top, may("take_discard"), throwing)}>
          <span class="count" aria-hidden="true">${view.discards.length}</span>
          ${view.discards.slice(-3).map((each) => html`<${Card} key=${each} card=${each} bare />`)}
          ${!top && html`<span class="empty"></span>`}</button>
        ${knocks.length > 0 && html`<button type="button" class="pile knock" data-drop="knock" onClick=${() => startKnock()}>Knock<small>drop a card here</small></button>`}
      </div>`}
    ${advice}
    ${you !== null && html`<div class="mine" ref=${mine}>
      <div class="hand-bar">
        <${Deadwood} view=${view} throwing=${throwing} without=${throwing || may("finish_layoffs") ? card : null} />
        <${Sorting} order=${order} />
      </div>
      <${Hand} cards=${shown.cards} chosen=${card ? [card] : []} label="Your hand" onDrop=${dropped}
        about=${(each) => about(each, shown, drawn, view.banned)} onMove=${(each, place) => order.move(shown.cards, each, place)}
        onChoose=${(each) => (throwing && each === view.banned ? refuse(barred(each)) : choose(each === card ? null : each))} onPlay=${throwing && discard} />
      <div class="controls" role="group" aria-label="What you may do">
        ${may("draw_stock") && html`<${Do} keys="d" main on=${draw}>Draw<//>`}
        ${may("take_discard") && html`<${Do} keys="t" on=${take}>Take ${short(top)}<//>`}
        ${may("pass") && html`<${Do} keys="p" on=${pass}>Pass<//>`}
        ${throwing && may("discard") && html`<${Do} keys="d" main off=${!card} on=${() => discard()}>${card ? `Discard ${short(card)}` : "Discard"}<//>`}
        ${knocks.length > 0 && html`<${Do} keys="k" on=${() => startKnock()}>Knock …<//>`}
        ${may("big_gin") && html`<${Do} keys="b" on=${() => play({ type: "big_gin" })}>Big gin<//>`}
        ${may("finish_layoffs") && html`<${Do} keys="f" main on=${finish}>Done<//>`}
      </div>
    </div>`}
    ${knocking && html`<${Knock} knocks=${knocks} card=${knocking} hand=${held} match=${match} store=${store} onCard=${knock}
      onClose=${() => knock(null)} play=${(action) => (knock(null), choose(null), play(action))} />`}
  </div>`;
}

/** What is left after the chosen throw, or the best one, when one is to throw. */
function Deadwood({ view, throwing, without }) {
  const after = (thrown) => best(view.hand.filter((card) => card !== thrown)).deadwood;
  const least = () => Math.min(...view.hand.filter((card) => card !== view.banned).map(after));
  const left = without ? after(without) : throwing ? least() : view.deadwood;
  const knocked = view.showdown || view.turn === null; // too late for it
  const limit = knocked ? "" : view.knock_limit ? `knock with ${view.knock_limit} or less` : "gin only";
  const when = without ? `without ${short(without)}` : throwing ? "after a discard" : limit;
  return html`<span class="deadwood"><b>${left}</b> deadwood <small>${when}</small></span>`;
}

const barred = (card) => `${short(card)} was taken this turn and may not be discarded in it.`;

/** `off`: it looks as if it could not be pressed, and says why if it is. */
function Do({ keys, main, off, on, children }) {
  return html`<button type="button" class="button ${main ? "main" : ""}" aria-keyshortcuts=${keys} aria-disabled=${off || undefined} onClick=${on}>${children}</button>`;
}

/** The card that came into the hand this turn. */
function drawnCard(view, you) {
  const turn = view.turns.at(-1);
  return turn && turn.seat === you && turn.thrown === null ? turn.drawn : null;
}

function about(card, { meldOf }, drawn, banned) {
  const meld = meldOf[card];
  const words = [card === drawn && "just drawn", card === banned && "may not be discarded", meld != null && `in meld ${meld + 1}`];
  const classes = [card === drawn && "new", card === banned && "barred", meld != null && `meld m${meld}`];
  return { words: words.filter(Boolean).join(", "), classes: classes.filter(Boolean).join(" ") };
}

function pileName(top, take, throwing) {
  const told = top ? `Discards, ${short(top)} on top` : "Discards, empty";
  return told + (take ? ": take it" : throwing ? ": discard the chosen card" : "");
}

/** The card whose throw leaves least. */
function cheapest(knocks, hand) {
  const left = (card) => best(hand.filter((each) => each !== card)).deadwood;
  return [...new Set(knocks.map((action) => action.card))].sort((a, b) => left(a) - left(b))[0];
}
