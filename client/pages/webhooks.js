// Webhooks: addresses that are told of events, what became of each message, off and on.
import { patch, post, remove } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { useWho } from "../who.js";
import { when } from "../words.js";
import { More, useList } from "./lists.js";
import { Refused, Secret, Sure } from "./secret.js";

export const title = "Webhooks";

const EVENTS = { "match.started": "A match has started", "match.your_turn": "It is my turn", "match.over": "A match is over" };

export default function Webhooks() {
  const player = useWho();
  const list = useList("/me/webhooks");
  const [made, show] = useState(null);
  if (!player) return html`<h1>Webhooks</h1><p><a href="/sign-in">Sign in</a> to have webhooks.</p>`;
  const change = (done) => done.then((hook) => (hook?.secret && show(hook), list.again()));
  return html`<h1>Webhooks</h1>
    <p class="lead">An address of yours is sent a signed message when there is something to do. <a href="/docs/api.md#webhooks">What is sent</a></p>
    ${made && html`<${Secret} label="The secret that its messages are signed with" text=${made.secret} />`}
    <div class="panels"><section><h2>A new one</h2><${New} change=${change} /></section></div>
    <h2>Yours</h2>
    <${Refused} problem=${list.problem} />
    ${!list.rows && !list.problem && html`<p class="soft" aria-busy="true">Looking …</p>`}
    ${list.rows?.length === 0 && html`<p class="soft">None yet.</p>`}
    ${list.rows?.length > 0 && html`<ul class="things">${list.rows.map((hook) => html`<${Hook} key=${hook.id} hook=${hook} change=${change} />`)}</ul>`}
    <${More} list=${list} />`;
}

function New({ change }) {
  const [refused, tell] = useState(null);
  const submit = (event) => {
    event.preventDefault();
    tell(null);
    const form = event.target;
    const told = new FormData(form);
    change(post("/me/webhooks", { url: told.get("url").trim(), events: told.getAll("event") })).then(() => form.reset(), tell);
  };
  return html`<form class="form" onSubmit=${submit}>
    <label>Address <input name="url" type="url" required maxlength="300" placeholder="https://bot.example.org/turn" /></label>
    <fieldset class="lines"><legend>Tell it when</legend>${Object.entries(EVENTS).map(([name, words]) => html`<label key=${name}>
      <input type="checkbox" name="event" value=${name} defaultChecked=${true} /> ${words}</label>`)}</fieldset>
    <${Refused} problem=${refused} />
    <button class="button main">Add a webhook</button>
  </form>`;
}

function Hook({ hook, change }) {
  const [refused, tell] = useState(null);
  const [sent, count] = useState(0);
  const at = `/me/webhooks/${hook.id}`;
  const off = hook.off_since !== null;
  const test = () => post(`${at}/test`).then(() => count(sent + 1), tell);
  return html`<li class="hook">
    <div><b>${hook.url}</b><br /><span class="soft">${hook.events.map((name) => EVENTS[name] ?? name).join(" · ")}</span>
      ${off && html`<br /><span class="wrong">Off since ${when(hook.off_since)}: it is told nothing.</span>`}</div>
    <div class="controls">
      <button type="button" class="button" onClick=${() => change(patch(at, { on: off })).catch(tell)}>${off ? "Switch on" : "Switch off"}</button>
      <button type="button" class="button" onClick=${test}>Send a test</button>
      <${Sure} action="Delete" of=${hook.url} onClick=${() => change(remove(at)).catch(tell)} />
    </div>
    <${Refused} problem=${refused} />
    <details open=${sent > 0}><summary>What was sent to it</summary><${Deliveries} at=${at} sent=${sent} /></details>
  </li>`;
}

const SOON = 1500;

/** Looked at again while something is on its way. */
function Deliveries({ at, sent }) {
  const list = useList(`${at}/deliveries?limit=10`);
  const waiting = list.rows?.some((each) => each.next_at && !each.attempts);
  useEffect(() => {
    if (sent) list.again();
  }, [sent]);
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setTimeout(list.again, SOON);
    return () => clearTimeout(timer);
  }, [list.rows]);
  if (list.problem) return html`<${Refused} problem=${list.problem} />`;
  if (!list.rows) return html`<p class="soft" aria-busy="true">Looking …</p>`;
  if (!list.rows.length) return html`<p class="soft">Nothing in the last thirty days.</p>`;
  return html`<table class="sheet deliveries"><thead><tr><th scope="col">When</th><th scope="col">Event</th><th scope="col">Tries</th><th scope="col">What became of it</th></tr></thead>
    <tbody>${list.rows.map((each) => html`<tr key=${each.id}><td>${when(each.created_at)}</td><td>${each.event}</td><td>${each.attempts}</td><td>${outcome(each)}</td></tr>`)}</tbody></table>
    <${More} list=${list} />`;
}

function outcome({ delivered_at, next_at, status, error, attempts }) {
  if (delivered_at) return `delivered ${when(delivered_at)}`;
  const why = error || (status ? `answered ${status}` : "");
  if (!attempts && next_at) return "on its way";
  return next_at ? `${why}; again ${when(next_at)}` : `given up: ${why}`;
}
