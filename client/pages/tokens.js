// Tokens for programs: what there is, a new one with what it may do, and an end to one.
import { get, post, remove } from "../api.js";
import { html, useState } from "../html.js";
import { useWho, who } from "../who.js";
import { when } from "../words.js";
import { Choices, Form, Refused } from "./fields.js";
import { Rows, useList } from "./lists.js";
import { Secret, Sure } from "./secret.js";

export const title = "Tokens";
export const prepare = async () => ({ staff: who() !== null && (await get("/me")).staff });

const SCOPES = {
  read: "Look: matches, boards, your own things",
  play: "Play too: make matches, sit down, move",
  bot: "Play as a program: the same, and more requests a minute",
  admin: "Everything; only staff can have it",
};

export default function Tokens({ staff }) {
  const player = useWho();
  const list = useList("/me/tokens");
  const [made, show] = useState(null);
  if (!player) return html`<h1>Tokens</h1><p><a href="/sign-in">Sign in</a> to have tokens.</p>`;
  const change = (done) => done.then((token) => (show(token), list.again()));
  return html`<h1>Tokens</h1>
    <p class="lead">A program plays for you with a token in place of your password. <a href="/docs/api.md">How it is used</a></p>
    ${made && html`<${Secret} label="The token ${made.name}" text=${made.token} />`}
    <div class="panels"><section><h2>A new one</h2><${New} staff=${staff} change=${change} /></section></div>
    <h2>Yours</h2>
    <${List} list=${list} revoke=${(token) => change(remove(`/me/tokens/${token.id}`))} />`;
}

function New({ staff, change }) {
  const offered = Object.entries(SCOPES).filter(([name]) => staff || name !== "admin");
  const scopes = Object.fromEntries(offered.map(([name, words]) => [name, html`<b>${name}</b> ${words}`]));
  const send = ({ name }, data) => change(post("/me/tokens", { name: name.trim(), scopes: data.getAll("scope") }));
  return html`<${Form} action="Make a token" fields=${{ name: { label: "Name", maxlength: 60, placeholder: "my bot" } }} send=${send}>
    <${Choices} name="scope" legend="It may" choices=${scopes} ticked=${(name) => name === "play"} /><//>`;
}

function List({ list, revoke }) {
  const [refused, tell] = useState(null);
  const row = (token) => html`<li key=${token.id}>
    <div><b>${token.name}</b> <code>${token.prefix}…</code><br />
      <span class="soft">${token.scopes.join(", ")} · made ${when(token.created_at)} · ${token.last_used_at ? `last used ${when(token.last_used_at)}` : "never used"}</span></div>
    <${Sure} action="Revoke" of=${token.name} onClick=${() => revoke(token).then(() => tell(null), tell)} /></li>`;
  return html`<${Refused} problem=${refused} />
    <${Rows} list=${list} none="None. You play here by the browser’s cookie, which is no token.">${(rows) => html`<ul class="things">${rows.map(row)}</ul>`}<//>`;
}
