// Cards that move: one that appears somewhere else flies there from where it was.
import { useLayoutEffect, useRef } from "./html.js";

const LENGTH = 260;
const BETWEEN = 35; // of cards that come together, as in a deal
const still = matchMedia("(prefers-reduced-motion: reduce)");
const dropped = new Map(); // where a dragged card was let go

export const letGo = (card, place) => dropped.set(card, place);

/**
 * Watches [data-card] inside `root`. `origin(card)`: the `data-at` of the place that a card comes from
 * which could not be seen before.
 */
export function useMotion(root, origin) {
  const before = useRef(null);
  useLayoutEffect(() => {
    const now = new Map();
    for (const element of root.current.querySelectorAll("[data-card]")) {
      if (element.parentElement.closest("[data-card]")) continue;
      now.set(element.dataset.card, { element, place: element.getBoundingClientRect() });
    }
    const old = before.current;
    before.current = now;
    if (!old || still.matches) return dropped.clear();
    let late = 0;
    for (const [card, { element, place }] of now) {
      if (old.get(card)?.element === element) continue;
      const from = dropped.get(card) ?? old.get(card)?.place ?? placeOf(root.current, origin(card));
      if (from) fly(element, from, place, BETWEEN * late++);
    }
    dropped.clear();
  });
}

const placeOf = (root, at) => at && root.querySelector(`[data-at="${at}"]`)?.getBoundingClientRect();

function fly(element, from, to, delay) {
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  if (Math.hypot(x, y) < 4) return;
  element.classList.add("flying");
  const steps = [{ translate: `${x}px ${y}px` }, { translate: "0 0" }];
  const flight = element.animate(steps, { duration: LENGTH, delay, easing: "cubic-bezier(.2,.7,.3,1)", fill: "backwards" });
  flight.onfinish = flight.oncancel = () => element.classList.remove("flying");
}
