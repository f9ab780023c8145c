// The kinds of games there are, and the page of each. A game without a page has the plain one.
import { get } from "./api.js";
import { styles } from "./html.js";

let asked = null;
export const games = () => (asked ??= get("/games").catch((problem) => ((asked = null), Promise.reject(problem))));

/** One of them by name; undefined if there is none. */
export const game = async (name) => (await games()).find((each) => each.name === name);

// The server says which pages there are, so that none is asked for in vain.
const pages = (document.querySelector('meta[name="game-pages"]')?.content ?? "").split(" ");

export async function pageOf(name) {
  const page = await import(`./games/${pages.includes(name) ? name : "plain"}.js`);
  await Promise.all((page.styleSheets ?? []).map(styles));
  return page;
}
