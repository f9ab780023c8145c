// What every other file draws with: `html` templates, Preact's hooks, and a game's own styles.
import { h, render } from "preact";
import htm from "htm";

export * from "preact/hooks";
export { render };
export const html = htm.bind(h);

const here = new URL(".", import.meta.url);
const loaded = new Map();

/** Adds a stylesheet of this folder once; resolves when it applies. */
export function styles(path) {
  if (!loaded.has(path)) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = new URL(path, here).href;
    loaded.set(path, new Promise((done) => (link.onload = link.onerror = done)));
    document.head.append(link);
  }
  return loaded.get(path);
}
