// Sign in, or take a name: a guest keeps all matches under it.
import { html, useState } from "../html.js";
import { go } from "../router.js";
import { register, signIn, stay, useWho } from "../who.js";

export const title = "Sign in";

export default function SignIn() {
  const player = useWho();
  const [problem, tell] = useState(null);
  const guest = player?.guest;
  const submit = (how) => (event) => {
    event.preventDefault();
    tell(null);
    const { name, password } = Object.fromEntries(new FormData(event.target));
    how(name, password).then(() => go("/me"), tell);
  };
  return html`<h1>Sign in</h1>
    ${problem && html`<p class="refusal" role="alert">${problem.errors?.map((each) => each.detail).join(" ") || problem.message}</p>`}
    <div class="columns">
      <section><h2>I have a name</h2>
        ${guest && html`<p class="soft">What you played as a guest stays with the guest.</p>`}
        <${Form} action="Sign in" password="current-password" onSubmit=${submit(signIn)} /></section>
      <section><h2>I am new</h2>
        <p class="soft">${guest ? "You keep the matches you have played as a guest." : "A name and a password, nothing else."}</p>
        <${Form} action="Take this name" password="new-password" onSubmit=${submit(guest ? stay : register)} /></section>
    </div>`;
}

function Form({ action, password, onSubmit }) {
  return html`<form class="form" onSubmit=${onSubmit}>
    <label>Name <input name="name" required autocomplete="username" maxlength="30" autocapitalize="none" spellcheck="false" /></label>
    <label>Password <input name="password" type="password" required autocomplete=${password} maxlength="128" /></label>
    <button class="button main">${action}</button>
  </form>`;
}
