// A table: opens the match of the address, with the page of its game.
import { game, pageOf } from "../games.js";
import { html, useEffect } from "../html.js";
import { MatchStore, useStore } from "../store.js";
import { Table } from "../table.js";

export const title = ({ kind }) => (kind ? `${kind.title} table` : "Table");

export async function prepare({ id, key }) {
  const store = new MatchStore(id, key ?? null);
  await store.open();
  if (store.lost) return { store };
  const [kind, page] = await Promise.all([game(store.match.game), pageOf(store.match.game)]);
  store.guesses = page.guess ?? null;
  return { store, kind, page };
}

export default function Match({ store, kind, page, problem }) {
  useEffect(() => () => store?.close(), [store]);
  if (problem || !store) return html`<${Lost} why=${problem} />`;
  return html`<${Seen} store=${store} kind=${kind} page=${page} />`;
}

function Seen({ store, kind, page }) {
  useStore(store);
  if (store.lost) return html`<${Lost} why=${store.lost} />`;
  return html`<h1 class="sr">${kind.title}</h1><${Table} store=${store} game=${page} title=${kind.title} />`;
}

function Lost({ why }) {
  const words = why?.status === 404 ? "There is no such table, or it is private and the link lacks its key." : why?.message;
  return html`<h1>This table cannot be shown</h1><p>${words}</p><p><a href="/">To the start page</a></p>`;
}
