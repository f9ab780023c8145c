// Arrow keys among open cards: to the nearest one in that direction, wherever it lies.
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function arrows(event, root) {
  const step = STEPS[event.key];
  const here = event.target.closest?.(".lies, .slot");
  if (!step || !here) return;
  event.preventDefault();
  const others = [...root.querySelectorAll(".lies:not(.closed), .slot")].filter((each) => each !== here);
  nearest(middle(here), step, others)?.focus();
}

function nearest([x, y], [dx, dy], elements) {
  let least = Infinity;
  let found = null;
  for (const element of elements) {
    const [x1, y1] = middle(element);
    const ahead = (x1 - x) * dx + (y1 - y) * dy;
    const aside = Math.abs((x1 - x) * dy) + Math.abs((y1 - y) * dx);
    if (ahead > 4 && ahead + 2 * aside < least) [least, found] = [ahead + 2 * aside, element];
  }
  return found;
}

function middle(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}
