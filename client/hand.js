// A hand of cards: choose by click or keys, put in order and hand out by dragging.
import { Card, name } from "./cards.js";
import { drag } from "./drag.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";

/**
 * `cards` from left to right. `chosen`: the cards that stand out. `about(card)`: classes, and words
 * for who cannot see them. onChoose(card), onMove(card, place), onDrop(card, where),
 * onPlay(card): a double click.
 */
export function Hand({ cards, chosen = [], about = () => ({}), label, onChoose, onMove, onDrop, onPlay }) {
  const element = useRef(null);
  const at = useFocus(element, cards);
  const buttons = () => [...element.current.querySelectorAll("button")];

  function keys(event, place) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -place, End: cards.length - 1 - place };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const to = Math.max(0, Math.min(cards.length - 1, place + steps[event.key]));
    if (event.shiftKey && onMove) onMove(cards[place], to);
    at.set(to);
    buttons()[to].focus();
  }

  function dropped(card, where, x) {
    if (where && where !== "hand") return onDrop?.(card, where);
    const before = buttons().filter((each) => each.dataset.card !== card && middle(each) < x);
    if (where === "hand") onMove?.(card, before.length);
  }

  return html`<div class="hand" role="group" aria-label=${label} data-drop="hand" ref=${element}
      style=${{ "--n": cards.length }}>
    ${cards.map((card, place) => {
      const { classes = "", words = "" } = about(card);
      return html`<button type="button" key=${card} data-card=${card} style=${{ "--i": place }}
          class="held ${chosen.includes(card) ? "chosen" : ""} ${classes}"
          aria-pressed=${chosen.includes(card)} aria-label=${name(card) + (words && `, ${words}`)}
          tabindex=${place === at.place ? 0 : -1} onFocus=${() => at.set(place)}
          onKeyDown=${(event) => keys(event, place)} onClick=${() => onChoose?.(card)}
          onDblClick=${() => onPlay?.(card)}
          onPointerDown=${(event) => drag(event, { onDrop: (where, x) => dropped(card, where, x) })}>
        <${Card} card=${card} bare />
      </button>`;
    })}
  </div>`;
}

function middle(element) {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}

/** One card of the hand can be reached by Tab; if it goes, its neighbour takes the focus. */
function useFocus(element, cards) {
  const [place, set] = useState(0);
  const had = useRef(false);
  useEffect(() => {
    const note = ({ target }) => (had.current = element.current?.contains(target) ?? false);
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  const kept = Math.max(0, Math.min(place, cards.length - 1));
  useLayoutEffect(() => {
    const lost = had.current && document.activeElement === document.body;
    if (lost) element.current.querySelectorAll("button")[kept]?.focus();
  });
  return { place: kept, set };
}
