// The client begins here: its routes, and what stands around every page.
import { html, render, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { find, route, useAddress } from "./router.js";
import { apply } from "./settings.js";
import { useWho } from "./who.js";

const page = (name) => () => import(`./pages/${name}.js`);
route("/", page("start"));
route("/play/:game", page("play"));
route("/tables", page("tables"));
route("/matches/:id", page("match"));
route("/matches/:id/replay", page("replay"));
route("/boards", page("boards"));
route("/boards/:game", page("boards"));
route("/players/:name", page("player"));
route("/me", page("me"));
route("/me/tokens", page("tokens"));
route("/me/webhooks", page("webhooks"));
route("/sign-in", page("sign-in"));

/** The page at an address, with what it needs before it can be drawn. */
async function load(address) {
  const { pathname, searchParams } = new URL(address, location.origin);
  const name = pathname.split("/")[1] || "start";
  try {
    const { load, values } = find(pathname) ?? { load: page("nothing"), values: {} };
    const { default: Page, title, prepare } = await load();
    const asked = { ...Object.fromEntries(searchParams), ...values };
    const extra = await prepare?.(asked).catch((problem) => ({ problem }));
    return { address, Page, title, values: { ...values, ...extra }, name };
  } catch (problem) {
    return { address, Page: Failed, title: "Not loaded", values: { problem, address }, name };
  }
}

/** Its files could not be had; `target` makes the browser load everything anew. */
const Failed = ({ problem, address }) => html`<h1>This page could not be loaded</h1>
  <p class="refusal" role="alert">${problem.message}</p><p><a href=${address} target="_self">Try again</a></p>`;

function App({ first }) {
  const address = useAddress();
  const [shown, show] = useState(first);
  const main = useRef(null);
  useEffect(() => {
    let late = false;
    if (address !== shown.address) load(address).then((next) => late || show(next));
    return () => (late = true);
  }, [address]);
  useLayoutEffect(() => {
    const title = typeof shown.title === "function" ? shown.title(shown.values) : shown.title;
    document.title = title ? `${title} · ginservice` : "ginservice";
    document.body.dataset.page = shown.name;
    if (shown !== first) main.current.focus({ preventScroll: true });
  }, [shown]);
  return html`<div ref=${main} tabindex="-1" class="page"><${shown.Page} key=${shown.address} ...${shown.values} /></div>`;
}

function Who() {
  const player = useWho();
  if (!player) return html`<a href="/sign-in">Sign in</a>`;
  return html`<a href="/me" title="My matches">${player.guest ? "My matches" : player.name}</a>`;
}

apply();
const first = await load(location.pathname + location.search);
// What the server has drawn is taken over where it is the same: whoever is just pressing a button presses it still.
render(html`<${App} first=${first} />`, document.querySelector("#app"));
render(html`<${Who} />`, document.querySelector("#who"));
