// A form that is sent to the API: what is refused is told at its field, and the focus goes there.
import { html, useEffect, useRef, useState } from "../html.js";

/**
 * `fields`: label and attributes of each input by its name, with `about`, a line below it;
 * `send(values, data)`, which is also given the FormData, resolves when it is done.
 */
export function Form({ fields, action, send, children }) {
  const [problem, tell] = useState(null);
  const form = useRef(null);
  const at = (name) => problem?.errors.find(({ pointer }) => pointer === `/${name}`)?.detail;
  useEffect(() => form.current?.querySelector('[aria-invalid="true"]')?.focus(), [problem]);
  const submit = (event) => {
    event.preventDefault();
    tell(null);
    const data = new FormData(event.target);
    send(Object.fromEntries(data), data).then(() => form.current?.reset(), tell);
  };
  return html`<form class="form" ref=${form} onSubmit=${submit}>
    ${problem && !Object.keys(fields).some(at) && html`<${Refused} problem=${problem} />`}
    ${Object.entries(fields).map(([name, { label, about, ...attributes }]) => html`<div class="field" key=${name}><label>${label}
      <input name=${name} required aria-invalid=${!!at(name)} aria-describedby=${about && `about-${name}`} ...${attributes} />
      ${at(name) && html`<span class="wrong" role="alert">${at(name)}</span>`}</label>
      ${about && html`<small class="soft" id="about-${name}">${about}</small>`}</div>`)}
    ${children}
    <button class="button main">${action}</button>
  </form>`;
}

/** Boxes to tick: the words of each by its value. */
export function Choices({ name, legend, choices, ticked }) {
  return html`<fieldset class="lines"><legend>${legend}</legend>${Object.entries(choices).map(([value, words]) => html`<label key=${value}>
    <input type="checkbox" name=${name} value=${value} defaultChecked=${ticked(value)} /><span>${words}</span></label>`)}</fieldset>`;
}

/** What was refused: the errors of fields, or the whole. */
export const Refused = ({ problem }) =>
  problem && html`<p class="refusal" role="alert">${problem.errors?.map((each) => each.detail).join(" ") || problem.message}</p>`;

export const NAME = { label: "Name", autocomplete: "username", maxlength: 30, autocapitalize: "none", spellcheck: "false" };
export const password = (label) => ({ label, type: "password", autocomplete: "current-password", maxlength: 128 });
export const newPassword = (label) => ({ ...password(label), autocomplete: "new-password",
  about: "At least 8 characters, not only digits, no common word, not like the name." });
