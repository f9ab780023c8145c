// Sign in, or take a name: a guest keeps all matches under it.
import { html } from "../html.js";
import { go } from "../router.js";
import { register, signIn, stay, useWho } from "../who.js";
import { Form, NAME, newPassword, password } from "./fields.js";

export const title = "Sign in";

export default function SignIn() {
  const guest = useWho()?.guest;
  const send = (how) => ({ name, password }) => how(name, password).then(() => go("/me"));
  const known = html`<section key="known"><h2>I have a name</h2>
    ${guest && html`<p class="soft">What you played as a guest stays with the guest.</p>`}
    <${Form} action="Sign in" fields=${{ name: NAME, password: password("Password") }} send=${send(signIn)} /></section>`;
  const fresh = html`<section key="fresh"><h2>I am new</h2>
    <p class="soft">${guest ? "You keep the matches you have played as a guest." : "A name and a password, nothing else."}</p>
    <${Form} action="Take this name" fields=${{ name: NAME, password: newPassword("Password") }} send=${send(guest ? stay : register)} /></section>`;
  return html`<h1>${guest ? "Take a name" : "Sign in"}</h1>
    <div class="columns">${guest ? [fresh, known] : [known, fresh]}</div>`;
}
