// A text that is shown once, to be copied; and a button that asks before it does something for good.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";

export function Secret({ label, text }) {
  const field = useRef(null);
  const [copied, set] = useState(false);
  useEffect(() => (field.current.focus(), field.current.select()), [text]);
  const copy = () => navigator.clipboard?.writeText(text).then(() => set(true), () => {});
  return html`<div class="secret" role="status"><label>${label}
      <input ref=${field} readonly value=${text} onFocus=${(event) => event.target.select()} /></label>
    <button type="button" class="button" onClick=${copy}>${copied ? "Copied" : "Copy"}</button>
    <p>It is shown this once. Whoever has it can use it: keep it like a password.</p></div>`;
}

export function Sure({ action, of, onClick }) {
  const [sure, ask] = useState(false);
  const yes = useRef(null);
  useLayoutEffect(() => yes.current?.focus(), [sure]); // before the next key
  if (!sure) return html`<button type="button" class="button" aria-label="${action} ${of}" onClick=${() => ask(true)}>${action} …</button>`;
  return html`<span class="controls">
    <button type="button" class="button danger" ref=${yes} onClick=${onClick}>Yes, ${action.toLowerCase()}</button>
    <button type="button" class="button" onClick=${() => ask(false)}>No</button></span>`;
}

/** What a form was refused for: its fields' errors, or the whole. */
export const Refused = ({ problem }) =>
  problem && html`<p class="refusal" role="alert">${problem.errors?.map((each) => each.detail).join(" ") || problem.message}</p>`;
