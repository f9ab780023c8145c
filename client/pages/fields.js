// A form that is sent to the API: what is refused is told at its field, and the focus goes there.
import { html, useEffect, useRef, useState } from "../html.js";

/** `fields`: label and attributes of each input by its name; `send(values)` resolves when it is done. */
export function Form({ fields, action, send, children }) {
  const [problem, tell] = useState(null);
  const form = useRef(null);
  const at = (name) => problem?.errors.find(({ pointer }) => pointer === `/${name}`)?.detail;
  useEffect(() => form.current?.querySelector('[aria-invalid="true"]')?.focus(), [problem]);
  const submit = (event) => {
    event.preventDefault();
    tell(null);
    send(Object.fromEntries(new FormData(event.target))).catch(tell);
  };
  return html`<form class="form" ref=${form} onSubmit=${submit}>
    ${problem && !Object.keys(fields).some(at) && html`<p class="refusal" role="alert">${problem.message}</p>`}
    ${Object.entries(fields).map(([name, { label, ...attributes }]) => html`<label key=${name}>${label}
      <input name=${name} required aria-invalid=${!!at(name)} ...${attributes} />
      ${at(name) && html`<span class="wrong" role="alert">${at(name)}</span>`}</label>`)}
    <button class="button main">${action}</button>${children}
  </form>`;
}

export const NAME = { label: "Name", autocomplete: "username", maxlength: 30, autocapitalize: "none", spellcheck: "false" };
export const password = (label, autocomplete) => ({ label, type: "password", autocomplete, maxlength: 128 });
