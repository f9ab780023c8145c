// Sign in, or take a name: a guest keeps all matches under it.
import { html, useEffect, useRef, useState } from "../html.js";
import { go } from "../router.js";
import { register, signIn, stay, useWho } from "../who.js";

export const title = "Sign in";

export default function SignIn() {
  const guest = useWho()?.guest;
  return html`<h1>Sign in</h1>
    <div class="columns">
      <section><h2>I have a name</h2>
        ${guest && html`<p class="soft">What you played as a guest stays with the guest.</p>`}
        <${Form} action="Sign in" password="current-password" how=${signIn} /></section>
      <section><h2>I am new</h2>
        <p class="soft">${guest ? "You keep the matches you have played as a guest." : "A name and a password, nothing else."}</p>
        <${Form} action="Take this name" password="new-password" how=${guest ? stay : register} /></section>
    </div>`;
}

function Form({ action, password, how }) {
  const [problem, tell] = useState(null);
  const form = useRef(null);
  const at = (field) => problem?.errors.find(({ pointer }) => pointer === `/${field}`)?.detail;
  useEffect(() => form.current.querySelector('[aria-invalid="true"]')?.focus(), [problem]);
  const submit = (event) => {
    event.preventDefault();
    tell(null);
    const { name, password } = Object.fromEntries(new FormData(event.target));
    how(name, password).then(() => go("/me"), tell);
  };
  return html`<form class="form" ref=${form} onSubmit=${submit}>
    ${problem && !at("name") && !at("password") && html`<p class="refusal" role="alert">${problem.message}</p>`}
    <label>Name <input name="name" required autocomplete="username" maxlength="30" autocapitalize="none" spellcheck="false" aria-invalid=${!!at("name")} />
      <${Wrong} words=${at("name")} /></label>
    <label>Password <input name="password" type="password" required autocomplete=${password} maxlength="128" aria-invalid=${!!at("password")} />
      <${Wrong} words=${at("password")} /></label>
    <button class="button main">${action}</button>
  </form>`;
}

/** Why a field was refused, read out with its label. */
const Wrong = ({ words }) => words && html`<span class="wrong" role="alert">${words}</span>`;
