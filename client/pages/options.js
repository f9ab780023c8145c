// The options of a game, from its JSON Schema: what each may be, and which differ from the preset.
import { html } from "../html.js";
import { sentence } from "../words.js";

/** `values` holds what the player has changed; onChange is given it anew. */
export function Options({ schema, preset, values, onChange }) {
  const named = Object.entries(schema.properties ?? {}).filter(([name]) => name !== "practice"); // which is asked apart
  const changed = named.filter(([name]) => name in values).length;
  const change = (name, value, usual) => {
    const { [name]: _, ...rest } = values;
    onChange(same(value, usual) ? rest : { ...rest, [name]: value });
  };
  return html`<details class="options"><summary>House rules${changed ? ` (${changed} changed)` : ""}</summary>
    <div class="form">${named.map(([name, shape]) => {
      const usual = preset[name] ?? shape.default;
      return html`<${Option} key=${name} name=${name} shape=${shape} value=${name in values ? values[name] : usual} onChange=${(value) => change(name, value, usual)} />`;
    })}</div></details>`;
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function Option({ name, shape, value, onChange }) {
  const words = sentence(name.replaceAll("_", " "));
  const kinds = (shape.anyOf ?? [shape]).filter((each) => each.type !== "null");
  const listed = kinds.flatMap((each) => each.enum ?? []);
  const number = kinds.find((each) => each.type === "integer");
  if (kinds.some((each) => each.type === "boolean")) {
    return html`<label><input type="checkbox" checked=${value} onChange=${({ target }) => onChange(target.checked)} /> ${words}</label>`;
  }
  const optional = kinds.length < (shape.anyOf?.length ?? 0);
  const typed = ({ target }) => onChange(target.value === "" && optional ? null : /^-?\d+$/.test(target.value) ? Number(target.value) : target.value);
  if (listed.length && !number) {
    return html`<label>${words} <select value=${value} onChange=${typed}>${listed.map((each) => html`<option key=${each} value=${each}>${String(each).replaceAll("_", " ")}</option>`)}</select></label>`;
  }
  if (listed.length) {
    const numbers = Array.from({ length: number.maximum - number.minimum + 1 }, (_, n) => number.minimum + n);
    return html`<label>${words} <select value=${value} onChange=${typed}>${[...listed, ...numbers].map((each) => html`<option key=${each} value=${each}>${each}</option>`)}</select></label>`;
  }
  return html`<label>${words} <input type="number" value=${value} min=${number?.minimum} max=${number?.maximum} required=${!optional} onInput=${typed} /></label>`;
}
