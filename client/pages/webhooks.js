// Webhooks: addresses that are told of events, what became of each message, off and on.
import { patch, post, remove } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { useWho } from "../who.js";
import { when } from "../words.js";
import { Choices, Form, Refused } from "./fields.js";
import { Rows, useList } from "./lists.js";
import { Secret, Sure } from "./secret.js";

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
    <${Rows} list=${list} none="None yet.">${(rows) => html`<ul class="things">${rows.map((hook) => html`<${Hook} key=${hook.id} hook=${hook} change=${change} />`)}</ul>`}<//>`;
}

function New({ change }) {
  const send = ({ url }, data) => change(post("/me/webhooks", { url: url.trim(), events: data.getAll("event") }));
  const url = { label: "Address", type: "url", maxlength: 300, placeholder: "https://bot.example.org/turn" };
  return html`<${Form} action="Add a webhook" fields=${{ url }} send=${send}>
    <${Choices} name="event" legend="Tell it when" choices=${EVENTS} ticked=${() => true} /><//>`;
}

function Hook({ hook, change }) {
  const [refused, tell] = useState(null);
  const [sent, count] = useState(0);
  const at = `/me/webhooks/${hook.id}`;
  const off = hook.off_since !== null;
  const told = (done) => done.then(() => tell(null), tell);
  const test = () => told(post(`${at}/test`).then(() => count(sent + 1)));
  return html`<li class="hook">
    <div><b>${hook.url}</b><br /><span class="soft">${hook.events.map((name) => EVENTS[name] ?? name).join(" · ")}</span>
      ${off && html`<br /><span class="wrong">Off since ${when(hook.off_since)}: it is told nothing.</span>`}</div>
    <div class="controls">
      <button type="button" class="button" onClick=${() => told(change(patch(at, { on: off })))}>${off ? "Switch on" : "Switch off"}</button>
      <button type="button" class="button" onClick=${test}>Send a test</button>
      <${Sure} action="Delete" of=${hook.url} onClick=${() => told(change(remove(at)))} />
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
  return html`<${Rows} list=${list} none="Nothing in the last thirty days.">${(rows) => html`
    <table class="sheet deliveries"><thead><tr><th scope="col">When</th><th scope="col">Event</th><th scope="col">Tries</th><th scope="col">What became of it</th></tr></thead>
    <tbody>${rows.map((each) => html`<tr key=${each.id}><td>${when(each.created_at)}</td><td>${each.event}</td><td>${each.attempts}</td><td>${outcome(each)}</td></tr>`)}</tbody></table>`}<//>`;
}

function outcome({ delivered_at, next_at, status, error, attempts }) {
  if (delivered_at) return `delivered ${when(delivered_at)}`;
  const why = error || (status ? `answered ${status}` : "");
  if (!attempts && next_at) return "on its way";
  return next_at ? `${why}; again ${when(next_at)}` : `given up: ${why}`;
}
