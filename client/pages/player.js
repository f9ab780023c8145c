// What a player has done: matches and deals, the rating and its course, against whom.
import { get } from "../api.js";
import { games } from "../games.js";
import { html } from "../html.js";
import { useWho } from "../who.js";
import { day, sentence } from "../words.js";
import { Course } from "./course.js";
import { Matches, Name, useList } from "./lists.js";

export const title = ({ player, name }) => player?.name ?? name;

export async function prepare({ name }) {
  const at = `/players/${encodeURIComponent(name)}`;
  const [player, stats, kinds] = await Promise.all([get(at), get(`${at}/stats`), games()]);
  return { player, stats, kinds };
}

export default function Player({ player, stats, kinds, problem }) {
  const me = useWho()?.name;
  if (!player) return html`<h1>There is no such player</h1><p>${problem?.status === 404 ? "The name is wrong, or it is no longer used." : problem?.message}</p>`;
  const mine = player.name === me;
  return html`<h1>${player.name}</h1>
    <p class="lead">${mine ? "You play" : "Plays"} here ${player.guest && "as a guest "}since ${day(player.created_at)}.</p>
    ${stats.games.length === 0 && html`<p class="soft">No match has ended yet that counts here. Practice does not.</p>`}
    <div class="panels">${stats.games.map((each) => html`<${Game} key=${each.game} ...${each} kind=${kinds.find(({ name }) => name === each.game)} of=${player} me=${me} />`)}</div>
    ${mine && html`<p><a href="/me">Your matches, settings and account</a></p>`}
    ${!mine && html`<h2>Last matches</h2><${Last} name=${player.name} />`}`;
}

function Last({ name }) {
  return html`<${Matches} list=${useList(`/matches?player=${name}&status=finished&limit=10`)} none="None that you may see." place="/replay" />`;
}

function Game({ game, kind, rating, rating_course: course, total, best_score, streak, longest_streak, opponents, of, me }) {
  const alone = kind?.seats.at(-1) === 1;
  const figures = [
    rating && ["rating", rating.rating, `± ${rating.deviation}, ${plural(rating.matches, "rated match", "rated matches")}`],
    ["matches", total.matches, total.resigned > 0 && `${total.resigned} resigned or out of time`],
    !alone && ["won", total.wins, `${Math.round((100 * total.wins) / total.matches)} % · ${total.draws} drawn, ${total.losses} lost`],
    !alone && ["in a row", streak, `won now; at most ${longest_streak}`],
    best_score !== null && ["best score", best_score],
    [alone ? "deals cleared" : "deals won", total.deals_won, `of ${total.deals}`],
    ...Object.entries(total.counts).map(([name, times]) => [name.replaceAll("_", " "), times]),
  ].filter(Boolean);
  return html`<section><h2>${kind?.title ?? game}</h2>
    <dl class="figures">${figures.map(([name, value, more]) => html`<div key=${name}><dt>${sentence(name)}</dt><dd>${value}</dd>${more && html`<dd class="soft">${more}</dd>`}</div>`)}</dl>
    ${course.length > 1 && html`<${Course} of=${course} />`}
    ${Object.keys(opponents).length > 0 && html`<${Opponents} opponents=${opponents} me=${me} />`}
    ${!alone && me && of.name !== me && html`<p><a class="button" href="/play/${game}?with=one&whom=${of.name}">Play ${of.name}</a></p>`}
  </section>`;
}

const MOST = 8;

function Opponents({ opponents, me }) {
  const met = Object.entries(opponents);
  return html`<table class="sheet opponents"><thead><tr><th scope="col">Against</th><th scope="col">Matches</th><th scope="col">Won</th><th scope="col">Lost</th></tr></thead>
    <tbody>${met.slice(0, MOST).map(([name, { matches, wins, losses }]) => html`<tr key=${name}>
      <th scope="row">${name.startsWith("bot:") ? `${name.slice(4)} bot` : html`<${Name} of=${name} me=${me} />`}</th><td>${matches}</td><td>${wins}</td><td>${losses}</td></tr>`)}</tbody></table>
    ${met.length > MOST && html`<p class="soft">and ${met.length - MOST} more</p>`}`;
}

const plural = (n, one, more) => `${n} ${n === 1 ? one : more}`;
