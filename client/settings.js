// What a player has switched on, kept in this browser. Switches show as classes of <html>.
import { html, useReducer } from "./html.js";

export const SWITCHES = {
  sounds: "Sounds",
  colours: "Four colours for the suits",
  keys: "Letter keys at the table",
};
const ON_AT_FIRST = ["keys"];
const kept = read();

function read() {
  try {
    return JSON.parse(localStorage.getItem("settings")) || {};
  } catch {
    return {}; // storage may be forbidden: then nothing is kept
  }
}

export const setting = (name) => kept[name] ?? ON_AT_FIRST.includes(name);

export function set(name, value) {
  kept[name] = value;
  try {
    localStorage.setItem("settings", JSON.stringify(kept));
  } catch {
    // as above
  }
  apply();
}

export function apply() {
  for (const name of Object.keys(SWITCHES)) {
    document.documentElement.classList.toggle(name, setting(name));
  }
}

export function Switches() {
  const [, again] = useReducer((n) => n + 1, 0);
  return Object.entries(SWITCHES).map(
    ([name, words]) => html`<label class="switch" key=${name}>
      <input type="checkbox" role="switch" checked=${setting(name)}
        onChange=${(event) => (set(name, event.target.checked), again())} />
      <span>${words}</span>
    </label>`,
  );
}
