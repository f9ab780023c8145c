// A hand of cards: choose by click or keys, put in order and hand out by dragging.
import { Card, name } from "./cards.js";
import { drag } from "./drag.js";
import { playing, useFocusKept, useKeys } from "./focus.js";
import { html, useRef, useState } from "./html.js";

/**
 * `cards` from left to right. `chosen`: the cards that stand out. `about(card)`: classes, words
 * for who cannot see them, and a `title`. onChoose(card), onMove(card, place), onDrop(card, where),
 * onPlay(card): a double click by the mouse, or Enter on a card that is chosen. A card that is null lies there face down.
 */
export function Hand({ cards, chosen = [], about = () => ({}), label, onChoose, onMove, onDrop, onPlay }) {
  const element = useRef(null);
  const [place, at] = useState(0);
  const reached = Math.max(0, Math.min(place, cards.length - 1)); // by Tab
  const byMouse = useRef(true); // a second tap of a finger lets a card down again
  const buttons = () => [...element.current.querySelectorAll("button")];
  useFocusKept(element, () => buttons()[reached]);
  const enter = () => playing(element.current) && buttons()[reached]?.focus();
  useKeys({ arrowleft: enter, arrowright: enter });

  function keys(event, place) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -place, End: cards.length - 1 - place };
    const again = event.key === "Enter" && onPlay && chosen.includes(cards[place]); // Space takes it back
    if (again) return event.preventDefault(), onPlay(cards[place]);
    if (!(event.key in steps)) return;
    event.preventDefault();
    const to = Math.max(0, Math.min(cards.length - 1, place + steps[event.key]));
    if (event.shiftKey && onMove) onMove(cards[place], to);
    at(to);
    buttons()[to].focus();
  }

  function pressed(event, then) {
    byMouse.current = event.pointerType === "mouse";
    drag(event, then);
  }

  function dropped(card, where, x) {
    if (where && where !== "hand") return onDrop?.(card, where);
    const before = buttons().filter((each) => each.dataset.card !== card && middle(each) < x);
    if (where === "hand") onMove?.(card, before.length);
  }

  return html`<div class="hand" role="group" aria-label=${label} data-drop="hand" ref=${element}
      style=${{ "--n": cards.length }}>
    ${cards.map((card, place) => {
      if (!card) return html`<span key="hidden" class="held" style=${{ "--i": place }}><${Card} bare /></span>`;
      const { classes = "", words = "", title } = about(card);
      return html`<button type="button" key=${card} data-card=${card} style=${{ "--i": place }}
          class="held ${chosen.includes(card) ? "chosen" : ""} ${classes}"
          title=${title} aria-pressed=${chosen.includes(card)} aria-label=${name(card) + (words && `, ${words}`)}
          tabindex=${place === reached ? 0 : -1} onFocus=${() => at(place)}
          onKeyDown=${(event) => keys(event, place)} onClick=${() => onChoose?.(card)}
          onDblClick=${() => byMouse.current && onPlay?.(card)}
          onPointerDown=${(event) => pressed(event, { onDrop: (where, x) => dropped(card, where, x) })}>
        <${Card} card=${card} bare />
      </button>`;
    })}
  </div>`;
}

function middle(element) {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}
