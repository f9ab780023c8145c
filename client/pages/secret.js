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

/** `onClick` resolves when it is done or refused: then nothing is asked any more. */
export function Sure({ action, of, onClick }) {
  const [sure, ask] = useState(false);
  const asked = useRef(sure);
  const button = useRef(null);
  useLayoutEffect(() => {
    if (sure !== asked.current) button.current.focus(); // before the next key
    asked.current = sure;
  }, [sure]);
  if (!sure) return html`<button type="button" class="button" ref=${button} aria-label="${action} ${of}" onClick=${() => ask(true)}>${action} …</button>`;
  return html`<span class="controls">
    <button type="button" class="button danger" ref=${button} onClick=${() => onClick().then(() => ask(false))}>Yes, ${action.toLowerCase()}</button>
    <button type="button" class="button" onClick=${() => ask(false)}>No</button></span>`;
}
