// Basic Rummy: two piles, melds on the table that take more cards, and a hand to lay them from.
import { Card, name as nameOf, short } from "../cards.js";
import { drag } from "../drag.js";
import { useFocusKept, useKeys } from "../focus.js";
import { Hand } from "../hand.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { best } from "../melds.js";
import { arranged, Sorting, useOrder } from "../order.js";
import { Aside, useAside } from "./rummy/aside.js";
import { laidBy, Melds, NewMeld } from "./rummy/melds.js";
import { isMeld, layOffs, meldAction, told, whyNoDiscard, whyNoLayOff, whyNoMeld } from "./rummy/rules.js";

export { guess, origin, todo } from "./rummy/rules.js";
export { Showdown } from "./rummy/showdown.js";
export const styleSheets = ["piles.css", "games/rummy/rummy.css"];

export function Board({ view, store, log, you, name, busy, play, refuse, advice }) {
  const mine = useRef(null);
  const [picked, pick] = useState([]);
  const order = useOrder();
  const held = view.hand ?? [];
  const drawn = view.turn === view.seat ? view.drawn : null;
  const may = (type, card) => view.legal.find((action) => action.type === type && (!card || action.card === card));
  const laying = view.phase === "meld" && view.turn === view.seat && you !== null;
  const aside = useAside(view, laying);
  const left = held.filter((card) => !aside.cards.includes(card));
  const chosen = picked.filter((card) => left.includes(card));
  const lay = meldAction(view, chosen);
  const possible = best(left.filter(Boolean)).melds.map((meld) => meldAction(view, meld)?.cards).filter(Boolean);
  const fits = (meld) => chosen.some((card) => layOffs(view, card).some((action) => action.meld === meld));
  const homes = aside.homes(view.table, chosen);
  useEffect(() => pick([]), [view.turn, view.deal]);
  useFocusKept(mine, () => mine.current.querySelector(`.held[data-card="${drawn}"]`) ?? mine.current.querySelector(".held, .controls button"));

  const toggle = (card) => pick(chosen.includes(card) ? chosen.filter((each) => each !== card) : [...chosen, card]);
  const draw = () => may("draw_stock") && play({ type: "draw_stock" });
  const take = () => may("take_discard") && play({ type: "take_discard" });
  const into = (act) => (event) => drag(event, { onDrop: (where) => where === "hand" && act() });
  const say = (words) => !busy && view.turn === you && refuse(words);
  async function meld(which = chosen) {
    if (busy) return false;
    const action = meldAction(store.view, which);
    if (!action) return say(whyNoMeld(store.view, which));
    pick([]);
    return play(action);
  }
  /** After what is set aside has been laid. */
  async function discard(which = chosen) {
    const [card, more] = which;
    const thrown = () => store.view.legal.find((each) => each.type === "discard" && each.card === card);
    if (!card || more) return say("Choose one card to discard.");
    if (!thrown()) return say(whyNoDiscard(view, card));
    if (busy || !(await layAll())) return false;
    pick([]);
    return thrown() ? play(thrown()) : false;
  }
  /** One card after the other, as far as each fits then. */
  async function layOff(meld, which = chosen) {
    if (!which.length) return say("Choose a card of your hand first.");
    for (let cards = which; !busy && cards.length && store.view.turn === you; ) {
      const action = cards.flatMap((card) => layOffs(store.view, card)).find((each) => each.meld === meld);
      if (!action) return say(whyNoLayOff(store.view, cards[0], meld));
      cards = cards.filter((card) => card !== action.card);
      pick((before) => before.filter((card) => card !== action.card));
      if (!(await play(action))) return false;
    }
    return !busy;
  }
  const layBundle = ({ cards, meld: on }) => (on === null ? meld(cards) : layOff(on, cards));
  /** What is set aside, new melds first, as far as the rules allow. Resolves to whether all was laid. */
  async function layAll() {
    const first = aside.bundles.filter((bundle) => bundle.meld === null);
    for (const bundle of [...first, ...aside.bundles.filter((each) => !first.includes(each))]) {
      if (!(await layBundle(bundle))) return false;
    }
    return true;
  }
  const put = (which, bundle) => (pick([]), aside.put(which, bundle));
  /** As a new meld, or to the one meld, on the table or aside, that it fits. */
  function setAside() {
    const [home, other] = homes;
    if (isMeld(chosen)) return put(chosen);
    if (other) return say("It fits more than one meld: drop it on one.");
    return home ? put(chosen, home) : say(whyNoMeld(view, chosen));
  }
  /** To what is set aside. */
  function join(bundle, which = chosen) {
    if (!which.length) return say("Choose a card of your hand first.");
    if (aside.fits(view.table, which, bundle)) return put(which, bundle);
    return say(`${told(which)} does not fit ${told(view.table[bundle.meld] ?? bundle.cards)}.`);
  }
  /** To a meld on the table: at once, or set aside like what was set aside before. */
  const onto = (meld, which = chosen) => (aside.bundles.length ? join(aside.forMeld(meld), which) : layOff(meld, which));
  function layOffSomewhere() {
    const where = [...new Set(chosen.flatMap((card) => layOffs(view, card)).map((action) => action.meld))];
    return where.length > 1 ? say("It fits more than one meld: choose the meld.") : where.length ? layOff(where[0]) : say("It fits no meld on the table.");
  }
  function dropped(card, where) {
    const group = chosen.includes(card) ? chosen : [card];
    if (where === "pile") return discard([card]);
    if (where.startsWith("meld-")) return onto(Number(where.slice(5)), group);
    if (where.startsWith("aside-")) return join(aside.bundles[Number(where.slice(6))], group);
    if (aside.bundles.length && isMeld(group)) return put(group);
    if (group.length > 1 || meldAction(view, group)) return meld(group);
    pick([...new Set([...chosen, card])]);
  }
  function by(meld) {
    const seat = laidBy(log, meld);
    const who = seat === undefined ? null : name(seat);
    return who === "You" ? "yours" : who;
  }
  const layKey = () => (chosen.length || !aside.bundles.length ? meld() : layAll());
  useKeys({ escape: () => pick([]), s: draw, t: take, a: () => laying && setAside(), m: () => laying && layKey(), l: () => laying && layOffSomewhere(), d: () => (laying ? discard() : draw()) });

  const top = view.discards.at(-1);
  const shown = arranged(left, order, drawn);
  const throwable = chosen.length === 1 && may("discard", chosen[0]);
  const can = chosen.length > 0 && chosen.some((card) => layOffs(view, card).length);
  return html`<div class="rummy for-${view.hand_sizes.length}">
    <div class="spread">
      <div class="piles">
        <button type="button" class="pile stock" data-at="stock" disabled=${!may("draw_stock")} onClick=${draw} onPointerDown=${into(draw)}
          aria-label="Stock, ${view.stock_size} cards${may("draw_stock") ? ": draw" : ""}">
          <span class="count" aria-hidden="true">${view.stock_size}</span>
          ${view.stock_size > 0 ? html`<${Card} bare />` : html`<span class="empty"></span>`}</button>
        <button type="button" class="pile discards" data-at="pile" data-drop="pile" disabled=${!may("take_discard") && !laying}
          onClick=${() => (may("take_discard") ? take() : discard())} onPointerDown=${may("take_discard") && into(take)} aria-label=${pileName(view, top, may("take_discard"), laying)}>
          <span class="count" aria-hidden="true">${view.pile_size}</span>
          ${top ? html`<${Card} key=${top} card=${top} bare />` : html`<span class="empty"></span>`}</button>
        <${Known} view=${view} name=${name} />
      </div>
      <div class="laid-out" role="group" aria-label="Melds on the table">
        <${Melds} table=${view.table} fits=${(n) => fits(n) || (aside.bundles.length > 0 && homes.some(({ meld }) => meld === n))} by=${by} chosen=${chosen} onMeld=${(n) => onto(n)} />
        <${Aside} bundles=${aside.bundles} onLay=${layBundle} onBack=${aside.back} />
        ${laying && html`<${NewMeld} chosen=${chosen} action=${lay} possible=${possible} onLay=${meld} />`}
        ${!laying && !view.table.length && html`<p class="soft">Nothing has been laid yet.</p>`}
      </div>
    </div>
    ${advice}
    ${view.hand && html`<div class="mine" ref=${mine}>
      <div class="hand-bar"><span><b>${view.points}</b> ${view.points === 1 ? "point" : "points"} in hand</span><${Sorting} order=${order} /></div>
      <${Hand} cards=${shown.cards} chosen=${chosen} label="Your hand" onDrop=${dropped} onChoose=${toggle}
        about=${(card) => about(card, shown, drawn, view)} onMove=${(card, place) => order.move(shown.cards, card, place)} />
      <div class="controls" role="group" aria-label="What you may do">
        ${may("draw_stock") && html`<${Do} keys="d" main on=${draw}>Draw<//>`}
        ${may("take_discard") && html`<${Do} keys="t" on=${take}>Take ${short(top)}<//>`}
        ${aside.bundles.length > 0 && html`<${Do} keys="m" main=${!lay && !chosen.length} on=${layAll}>${aside.bundles.length > 1 ? "Lay all" : "Lay it"}<//>`}
        ${laying && lay && html`<${Do} keys="m" main on=${() => meld()}>Lay<//>`}
        ${laying && can && html`<${Do} keys="l" main=${!lay} on=${layOffSomewhere}>Lay off<//>`}
        ${laying && (isMeld(chosen) || homes.length === 1) && html`<${Do} keys="a" on=${() => setAside()}>Set aside<//>`}
        ${laying && html`<${Do} keys="d" main=${!lay && !can && throwable} off=${!throwable} on=${() => discard()}>${aside.bundles.length > 0 && chosen.length === 1 ? "Lay and discard" : "Discard"}${chosen.length === 1 && ` ${short(chosen[0])}`}<//>`}
      </div>
    </div>`}
  </div>`;
}

/** `off`: it looks as if it could not be pressed, and says why if it is. */
function Do({ keys, main, off, on, children }) {
  return html`<button type="button" class="button ${main ? "main" : ""}" aria-keyshortcuts=${keys} aria-disabled=${off || undefined} onClick=${on}>${children}</button>`;
}

/** Whoever takes a card from the discards shows it: all may remember it. And which stock is the last one. */
function Known({ view, name }) {
  const known = view.taken.map((cards, seat) => [seat, cards]).filter(([seat, cards]) => seat !== view.seat && cards.length);
  const last = view.restocks_left === 0;
  return (last || known.length > 0) && html`<ul class="known" aria-label="What to remember">${last && html`<li><b>Last stock:</b> the deal ends with it</li>`}
    ${known.map(([seat, cards]) => html`<li key=${seat}>${name(seat)} took ${told(cards)}</li>`)}</ul>`;
}

function about(card, { meldOf }, drawn, { banned }) {
  const meld = meldOf[card];
  const words = [card === drawn && "just drawn", card === banned && "may not be discarded", meld != null && `in meld ${meld + 1}`];
  const classes = [card === drawn && "new", card === banned && "barred", meld != null && `meld m${meld}`];
  const title = card === banned ? "Taken this turn: it can be laid, but not discarded" : undefined;
  return { title, words: words.filter(Boolean).join(", "), classes: classes.filter(Boolean).join(" ") };
}

function pileName(view, top, take, throwing) {
  const pile = `Discards, ${view.pile_size} ${view.pile_size === 1 ? "card" : "cards"}${top ? `, ${nameOf(top)} on top` : ""}`;
  return pile + (take ? ": take it" : throwing ? ": discard the chosen card" : "");
}
