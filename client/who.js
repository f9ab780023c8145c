// Who is signed in, the same in all tabs. The session's cookie is out of reach of scripts.
import { post, remove } from "./api.js";
import { useLayoutEffect, useState } from "./html.js";

const told = document.querySelector('meta[name="player"]')?.content;
const listeners = new Set();
const others = "BroadcastChannel" in window ? new BroadcastChannel("who") : null;
let player = told ? JSON.parse(told) : null;

export const who = () => player;

function become(next, tell = true) {
  player = next;
  if (tell) others?.postMessage(next);
  listeners.forEach((listener) => listener(next));
}
addEventListener("signed-out", () => become(null)); // the session has ended
if (others) others.onmessage = ({ data }) => become(data, false);

/** Whoever plays must be somebody: a guest, if nobody has signed in. */
export async function somebody() {
  if (!player) become((await post("/players/guest", { cookie: true })).player);
  return player;
}

export const signIn = async (name, password) =>
  become((await post("/sessions", { name, password, cookie: true })).player);

export const register = async (name, password) =>
  become((await post("/players", { name, password, cookie: true })).player);

/** A guest stays the same player, with all matches, under a name of its own. */
export const stay = async (name, password) => become(await post("/me/account", { name, password }));

export async function signOut() {
  await remove("/sessions/current");
  become(null);
}

export function useWho() {
  const [now, set] = useState(player);
  useLayoutEffect(() => (listeners.add(set), () => listeners.delete(set)), []);
  return now;
}
