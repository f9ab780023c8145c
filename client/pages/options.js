// The options of a game, from its JSON Schema: what each does and may be, and which differ from the preset.
import { html } from "../html.js";
import { sentence } from "../words.js";

/** `values` holds what the player has changed; onChange is given it anew. */
export function Options({ schema, preset, values, onChange }) {
  const asked = Object.entries(schema.properties ?? {}).filter(([name]) => name !== "practice"); // which is asked apart
  const changed = asked.filter(([name]) => name in values).length;
  const change = (name, value, usual) => {
    const { [name]: _, ...rest } = values;
    onChange(same(value, usual) ? rest : { ...rest, [name]: value });
  };
  return html`<details class="options"><summary>House rules${changed ? ` (${changed} changed)` : ""}</summary>
    <p class="soft">With any of these changed the match counts for no rating and no board.</p>
    <div class="each">${asked.map(([name, shape]) => {
      const usual = preset[name] ?? shape.default;
      return html`<div class="form option" key=${name}>
        <${Option} name=${name} shape=${shape} value=${name in values ? values[name] : usual} onChange=${(value) => change(name, value, usual)} />
        ${shape.description && html`<small class="soft" id="about-${name}">${meaning(shape.description)}</small>`}</div>`;
    })}</div></details>`;
}

/** What a preset changes, in words; "" if it changes nothing. */
export function differences(schema, preset) {
  const changed = Object.entries(preset).filter(([name, value]) => !same(value, schema.properties[name].default));
  return changed.map(([name, value]) => `${spoken(name)}: ${VALUES[value] ?? spoken(String(value))}`).join(" · ");
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const spoken = (name) => name.replaceAll("_", " ");
const VALUES = { true: "on", false: "off", null: "empty" };

/** What stands between backticks is a value or another option, which have names for people here. */
function meaning(text) {
  return text.split("`").map((part, n, parts) => {
    if (n % 2 === 0) return part;
    const told = VALUES[part] ?? (part.startsWith('"') ? spoken(part.slice(1, -1)) : spoken(part));
    return html`<b>${/(^|\. )$/.test(parts[n - 1]) ? sentence(told) : told}</b>`;
  });
}

function Option({ name, shape, value, onChange }) {
  const words = sentence(spoken(name));
  const about = shape.description && `about-${name}`;
  const kinds = (shape.anyOf ?? [shape]).filter((each) => each.type !== "null");
  const listed = kinds.flatMap((each) => each.enum ?? []);
  const number = kinds.find((each) => each.type === "integer");
  if (kinds.some((each) => each.type === "boolean")) {
    return html`<label><input type="checkbox" checked=${value} aria-describedby=${about} onChange=${({ target }) => onChange(target.checked)} /> ${words}</label>`;
  }
  const optional = kinds.length < (shape.anyOf?.length ?? 0);
  const typed = ({ target }) => onChange(target.value === "" && optional ? null : /^-?\d+$/.test(target.value) ? Number(target.value) : target.value);
  if (listed.length) {
    const numbers = number ? Array.from({ length: number.maximum - number.minimum + 1 }, (_, n) => number.minimum + n) : [];
    return html`<label>${words} <select value=${value} aria-describedby=${about} onChange=${typed}>
      ${[...listed, ...numbers].map((each) => html`<option key=${each} value=${each}>${spoken(String(each))}</option>`)}</select></label>`;
  }
  return html`<label>${words} <input type="number" value=${value} min=${number?.minimum} max=${number?.maximum} required=${!optional} aria-describedby=${about} onInput=${typed} /></label>`;
}
