// My matches and my account.
import { patch } from "../api.js";
import { html, useState } from "../html.js";
import { go } from "../router.js";
import { Switches } from "../settings.js";
import { signOut, useWho } from "../who.js";
import { Form, newPassword, password } from "./fields.js";
import { Matches, useList } from "./lists.js";

export const title = "My matches";

export default function Me() {
  const player = useWho();
  const [problem, tell] = useState(null);
  const [asked, ask] = useState(false);
  if (!player) return html`<h1>My matches</h1><p>Nobody is signed in here. <a href="/sign-in">Sign in</a>, or <a href="/">play as a guest</a>.</p>`;
  const leave = () => signOut().then(() => go("/"), tell);
  return html`<h1>${player.guest ? "You play as a guest" : player.name}</h1>
    ${player.guest && html`<p>Your name here is <b>${player.name}</b>. <a href="/sign-in">Take a name of your own</a> to keep your
      matches and be ranked: a guest who signs out or stays away for long does not come back.</p>`}
    <${Mine} />
    <h2>Settings</h2><div class="controls"><${Switches} /></div>
    ${!player.guest && html`<${Password} />`}
    <p><a href="/players/${player.name}">What you have done</a> · <a href="/me/tokens">Tokens</a> · <a href="/me/webhooks">Webhooks</a></p>
    ${problem && html`<p class="refusal" role="alert">${problem.message}</p>`}
    <p>${asked || !player.guest
      ? html`<button type="button" key="out" class="button ${player.guest ? "danger" : ""}" onClick=${leave}>${player.guest ? "Sign out and lose these matches" : "Sign out"}</button>`
      : html`<button type="button" key="ask" class="button" onClick=${() => ask(true)}>Sign out …</button>`}</p>`;
}

function Password() {
  const [times, count] = useState(0);
  const fields = { current_password: password("The password now"), password: newPassword("The new one") };
  const send = (values) => patch("/me", values).then(() => count(times + 1));
  return html`<details class="folded"><summary>Change your password</summary>
    <${Form} action="Change it" fields=${fields} send=${send} />
    <p role="status">${times > 0 && "It is changed. Other browsers are signed out; tokens stay."}</p></details>`;
}

function Mine() {
  const invites = useList("/me/invites");
  const playing = useList("/matches?player=me&status=playing");
  const open = useList("/matches?player=me&status=open");
  const ended = useList("/matches?player=me&status=finished&limit=20");
  return html`${invites.rows?.length > 0 && html`<h2>Seats kept for you</h2><${Matches} list=${invites} />`}
    <h2>Being played</h2><${Matches} list=${playing} none="None. " />
    ${open.rows?.length > 0 && html`<h2>Waiting for players</h2><${Matches} list=${open} />`}
    <h2>Ended</h2><${Matches} list=${ended} none="None yet." />`;
}
