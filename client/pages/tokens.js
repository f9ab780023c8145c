// Tokens for programs: what there is, a new one with what it may do, and an end to one.
import { post, remove } from "../api.js";
import { html, useState } from "../html.js";
import { useWho } from "../who.js";
import { when } from "../words.js";
import { More, useList } from "./lists.js";
import { Refused, Secret, Sure } from "./secret.js";

export const title = "Tokens";

const SCOPES = {
  read: "Look: matches, boards, your own things",
  play: "Play too: make matches, sit down, move",
  bot: "Play as a program: the same, and more requests a minute",
  admin: "Everything; only staff can have it",
};

export default function Tokens() {
  const player = useWho();
  const list = useList("/me/tokens");
  const [made, show] = useState(null);
  if (!player) return html`<h1>Tokens</h1><p><a href="/sign-in">Sign in</a> to have tokens.</p>`;
  const change = (done) => done.then((token) => (show(token), list.again()));
  return html`<h1>Tokens</h1>
    <p class="lead">A program plays for you with a token in place of your password. <a href="/docs/api.md">How it is used</a></p>
    ${made && html`<${Secret} label="The token ${made.name}" text=${made.token} />`}
    <div class="panels"><section><h2>A new one</h2><${New} staff=${player.staff} change=${change} /></section></div>
    <h2>Yours</h2>
    <${List} list=${list} revoke=${(token) => change(remove(`/me/tokens/${token.id}`))} />`;
}

function New({ staff, change }) {
  const scopes = Object.entries(SCOPES).filter(([name]) => staff || name !== "admin");
  const [refused, tell] = useState(null);
  const submit = (event) => {
    event.preventDefault();
    tell(null);
    const form = event.target;
    const told = new FormData(form);
    change(post("/me/tokens", { name: told.get("name").trim(), scopes: told.getAll("scope") })).then(() => form.reset(), tell);
  };
  return html`<form class="form" onSubmit=${submit}>
    <label>Name <input name="name" required maxlength="60" placeholder="my bot" /></label>
    <fieldset class="lines"><legend>It may</legend>${scopes.map(([name, words]) => html`<label key=${name}>
      <input type="checkbox" name="scope" value=${name} defaultChecked=${name === "play"} /> <b>${name}</b> ${words}</label>`)}</fieldset>
    <${Refused} problem=${refused} />
    <button class="button main">Make a token</button>
  </form>`;
}

function List({ list, revoke }) {
  const [refused, tell] = useState(null);
  if (list.problem) return html`<${Refused} problem=${list.problem} />`;
  if (!list.rows) return html`<p class="soft" aria-busy="true">Looking …</p>`;
  if (!list.rows.length) return html`<p class="soft">None. You play here by the browser’s cookie, which is no token.</p>`;
  return html`<${Refused} problem=${refused} /><ul class="things">${list.rows.map((token) => html`<li key=${token.id}>
    <div><b>${token.name}</b> <code>${token.prefix}…</code><br />
      <span class="soft">${token.scopes.join(", ")} · made ${when(token.created_at)} · ${token.last_used_at ? `last used ${when(token.last_used_at)}` : "never used"}</span></div>
    <${Sure} action="Revoke" of=${token.name} onClick=${() => revoke(token).catch(tell)} /></li>`)}</ul>
    <${More} list=${list} />`;
}
