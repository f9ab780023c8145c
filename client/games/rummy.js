// Basic Rummy: two piles, melds on the table that take more cards, and a hand to lay them from.
import { Card, name as nameOf, short } from "../cards.js";
import { useFocusKept, useKeys } from "../focus.js";
import { Hand } from "../hand.js";
import { html, useRef, useState } from "../html.js";
import { best } from "../melds.js";
import { arranged, Sorting, useOrder } from "../order.js";
import { Melds, NewMeld } from "./rummy/melds.js";
import { layOffs, meldAction, told, whyNoDiscard, whyNoLayOff, whyNoMeld } from "./rummy/rules.js";

export { guess, origin, todo } from "./rummy/rules.js";
export { Showdown } from "./rummy/showdown.js";
export const styleSheets = ["piles.css", "games/rummy/rummy.css"];

export function Board({ view, store, you, name, busy, play, refuse }) {
  const mine = useRef(null);
  const [picked, pick] = useState([]);
  const order = useOrder();
  const held = view.hand ?? [];
  const cards = held.filter(Boolean);
  const chosen = picked.filter((card) => held.includes(card));
  const drawn = view.turn === view.seat ? view.drawn : null;
  const may = (type) => view.legal.find((action) => action.type === type);
  const laying = view.phase === "meld" && view.turn === view.seat && you !== null;
  const lay = meldAction(view, chosen);
  const possible = best(cards).melds.map((meld) => meldAction(view, meld)?.cards).filter(Boolean);
  const fits = (meld) => chosen.some((card) => layOffs(view, card).some((action) => action.meld === meld));
  useFocusKept(mine, () => mine.current.querySelector(`.held[data-card="${drawn}"]`) ?? mine.current.querySelector(".held, .controls button"));

  const toggle = (card) => pick(chosen.includes(card) ? chosen.filter((each) => each !== card) : [...chosen, card]);
  const draw = () => may("draw_stock") && play({ type: "draw_stock" });
  const take = () => may("take_discard") && play({ type: "take_discard" });
  const say = (words) => !busy && view.turn === you && refuse(words);
  function meld(which = chosen) {
    const action = meldAction(view, which);
    if (!action) return say(whyNoMeld(view, which));
    pick([]);
    return play(action);
  }
  function discard(which = chosen) {
    const [card, more] = which;
    if (!card || more) return say("Choose one card to throw.");
    const action = view.legal.find((each) => each.type === "discard" && each.card === card);
    if (!action) return say(whyNoDiscard(view, card));
    pick([]);
    return play(action);
  }
  /** One card after the other, as far as each fits then. */
  async function layOff(meld, which = chosen) {
    if (!which.length) return say("Choose a card of your hand first.");
    const action = which.flatMap((card) => layOffs(store.view, card)).find((each) => each.meld === meld);
    if (!action) return say(whyNoLayOff(view, which[0], meld));
    const left = which.filter((card) => card !== action.card);
    pick(left);
    if ((await play(action)) && left.length && store.view.turn === you) layOff(meld, left);
  }
  function layOffSomewhere() {
    const where = [...new Set(chosen.flatMap((card) => layOffs(view, card)).map((action) => action.meld))];
    return where.length > 1 ? say("It fits more than one meld: choose the meld.") : where.length ? layOff(where[0]) : say("It fits no meld on the table.");
  }
  function dropped(card, where) {
    const group = chosen.includes(card) ? chosen : [card];
    if (where === "pile") return discard([card]);
    if (where.startsWith("meld-")) return layOff(Number(where.slice(5)), group);
    if (group.length > 1 || meldAction(view, group)) return meld(group);
    pick([...new Set([...chosen, card])]);
  }
  useKeys({ s: draw, t: take, m: () => laying && meld(), l: () => laying && layOffSomewhere(), d: () => laying && discard() });

  const top = view.discards.at(-1);
  const shown = arranged(held, order, drawn);
  const can = chosen.length > 0 && chosen.some((card) => layOffs(view, card).length);
  return html`<div class="rummy for-${view.hand_sizes.length}">
    <div class="spread">
      <div class="piles">
        <button type="button" class="pile stock" data-at="stock" disabled=${!may("draw_stock")} onClick=${draw}
          aria-label="Stock, ${view.stock_size} cards${may("draw_stock") ? ": draw" : ""}">
          <span class="count" aria-hidden="true">${view.stock_size}</span>
          ${view.stock_size > 0 ? html`<${Card} bare />` : html`<span class="empty"></span>`}</button>
        <button type="button" class="pile discards" data-at="pile" data-drop="pile" disabled=${!may("take_discard") && !laying}
          onClick=${() => (may("take_discard") ? take() : discard())} aria-label=${pileName(view, top, may("take_discard"), laying)}>
          <span class="count" aria-hidden="true">${view.pile_size}</span>
          ${top ? html`<${Card} key=${top} card=${top} bare />` : html`<span class="empty"></span>`}</button>
        <${Known} view=${view} name=${name} />
      </div>
      <div class="laid-out" role="group" aria-label="Melds on the table">
        <${Melds} table=${view.table} fits=${fits} chosen=${chosen} onMeld=${(n) => layOff(n)} />
        ${laying && html`<${NewMeld} chosen=${chosen} action=${lay} possible=${possible} onLay=${() => meld()} onChoose=${pick} />`}
        ${!laying && !view.table.length && html`<p class="soft">Nothing has been laid yet.</p>`}
      </div>
    </div>
    ${view.hand && html`<div class="mine" ref=${mine}>
      <div class="hand-bar"><span><b>${view.points}</b> points in hand</span><${Sorting} order=${order} /></div>
      <${Hand} cards=${shown.cards} chosen=${chosen} label="Your hand" onDrop=${dropped} onChoose=${toggle}
        about=${(card) => about(card, shown, drawn, view)} onMove=${(card, place) => order.move(shown.cards, card, place)}
        onPlay=${(card) => laying && discard([card])} />
      <div class="controls" role="group" aria-label="What you may do">
        ${may("draw_stock") && html`<${Do} keys="s" main on=${draw}>Draw<//>`}
        ${may("take_discard") && html`<${Do} keys="t" on=${take}>Take ${short(top)}<//>`}
        ${laying && lay && html`<${Do} keys="m" main on=${() => meld()}>Meld<//>`}
        ${laying && can && html`<${Do} keys="l" on=${layOffSomewhere}>Lay off<//>`}
        ${laying && html`<${Do} keys="d" main=${!lay && chosen.length === 1} on=${() => discard()}>${chosen.length === 1 ? `Discard ${short(chosen[0])}` : "Discard"}<//>`}
      </div>
    </div>`}
  </div>`;
}

function Do({ keys, main, on, children }) {
  return html`<button type="button" class="button ${main ? "main" : ""}" aria-keyshortcuts=${keys} onClick=${on}>${children}</button>`;
}

/** Whoever takes a card from the discards shows it: all may remember it. */
function Known({ view, name }) {
  const known = view.taken.map((cards, seat) => [seat, cards]).filter(([seat, cards]) => seat !== view.seat && cards.length);
  return known.length > 0 && html`<ul class="known" aria-label="Cards known to be in hands">${known.map(([seat, cards]) => html`<li key=${seat}>${name(seat)} took ${told(cards)}</li>`)}</ul>`;
}

function about(card, { meldOf }, drawn, { banned }) {
  const meld = meldOf[card];
  const words = [card === drawn && "just drawn", card === banned && "may not be thrown", meld != null && `in meld ${meld + 1}`];
  const classes = [card === drawn && "new", card === banned && "barred", meld != null && `meld m${meld}`];
  return { words: words.filter(Boolean).join(", "), classes: classes.filter(Boolean).join(" ") };
}

function pileName(view, top, take, throwing) {
  const pile = `Discards, ${view.pile_size} cards${top ? `, ${nameOf(top)} on top` : ""}`;
  return pile + (take ? ": take it" : throwing ? ": throw the chosen card" : "");
}
