// Dragging with mouse, pen or finger. Where things may be dropped is said by `data-drop`.
import { letGo } from "./motion.js";

const FAR = 6; // px before a press becomes a drag

/**
 * To be called on pointerdown. `onDrop(name, x)`: let go over an element with data-drop="name",
 * or over none (null). The element itself, a card or a pile, follows the pointer by --dx and --dy.
 */
export function drag(event, { onDrop }) {
  if (event.button) return;
  const element = event.currentTarget;
  const { clientX: x0, clientY: y0, pointerId } = event;
  let dragging = false;
  let over = null;

  function aim(target) {
    if (target === over) return;
    over?.classList.remove("over");
    over = target;
    over?.classList.add("over");
  }

  function move({ clientX, clientY }) {
    if (!dragging && Math.hypot(clientX - x0, clientY - y0) < FAR) return;
    if (!dragging) element.setPointerCapture(pointerId);
    dragging = true;
    element.classList.add("dragging");
    element.style.setProperty("--dx", `${clientX - x0}px`);
    element.style.setProperty("--dy", `${clientY - y0}px`);
    aim(document.elementFromPoint(clientX, clientY)?.closest("[data-drop]") ?? null);
  }

  function end({ type, clientX }) {
    for (const name of ["pointermove", "pointerup", "pointercancel"]) {
      removeEventListener(name, name === "pointermove" ? move : end);
    }
    const target = over;
    const card = element.dataset.card ? element : (element.querySelector(".card:last-of-type") ?? element);
    if (dragging) letGo(card.dataset.card, card.getBoundingClientRect());
    aim(null);
    element.classList.remove("dragging");
    element.style.removeProperty("--dx");
    element.style.removeProperty("--dy");
    if (!dragging) return;
    swallowClick();
    if (type === "pointerup") onDrop(target?.dataset.drop ?? null, clientX);
  }

  // On the window: a quick pointer has left the element before it is captured.
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

/** The press that was a drag is no click, for nobody: it does not dismiss what is told of the drag. */
function swallowClick() {
  const swallow = (event) => (event.stopPropagation(), event.preventDefault());
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }));
}
