// Addresses and pages: links and the browser's own buttons lead from one to the other.
import { useLayoutEffect, useState } from "./html.js";

const routes = [];
const listeners = new Set();

/** `pattern` is like "/matches/:id"; `load` resolves to the page's component. */
export function route(pattern, load) {
  const shape = new RegExp(`^${pattern.replace(/:(\w+)/g, "(?<$1>[^/]+)")}/?$`);
  routes.push({ shape, load });
}

export function find(path) {
  for (const { shape, load } of routes) {
    const found = shape.exec(path);
    if (found) return { load, values: decoded(found.groups) };
  }
  return null;
}

const decoded = (groups = {}) =>
  Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));

export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  if (!replace) scrollTo(0, 0);
  listeners.forEach((listener) => listener());
}

/** The address, as "/path?query". */
export function useAddress() {
  const now = () => location.pathname + location.search;
  const [at, set] = useState(now);
  useLayoutEffect(() => {
    const changed = () => set(now());
    listeners.add(changed);
    addEventListener("popstate", changed);
    document.addEventListener("click", follow);
    return () => {
      listeners.delete(changed);
      removeEventListener("popstate", changed);
      document.removeEventListener("click", follow);
    };
  }, []);
  return at;
}

function follow(event) {
  const link = event.target.closest?.("a[href]");
  const plain = !event.defaultPrevented && event.button === 0;
  if (!link || !plain || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || link.target || to.hash || !find(to.pathname)) return;
  event.preventDefault();
  go(to.pathname + to.search);
}
