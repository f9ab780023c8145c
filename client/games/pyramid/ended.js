// The end of a round and of a match: what it brought, and posting the score.
import { get, post, query } from "../../api.js";
import { html, useEffect, useState } from "../../html.js";
import { useWho } from "../../who.js";
import { Deals } from "./practice.js";

const answers = new Map(); // by match: the score that was posted, for dialog and table alike

export function Showdown({ result, match, store }) {
  const { ending, removed, bonus, left, deal, points } = result;
  const over = match.status !== "playing";
  return html`<h2 id="showdown-title">${ending === "cleared" ? `Round ${deal} cleared!` : "Nothing is left to do"}</h2>
    <p class="lead">${ending === "cleared" ? "The whole pyramid is gone." : `${cards(left)} of the pyramid ${left === 1 ? "is" : "are"} left.`}</p>
    <table class="sheet counted"><tbody>
      <tr><th scope="row">${cards(removed)} removed, 10 points each</th><td>${10 * removed}</td></tr>
      ${bonus > 0 && html`<tr><th scope="row">Pyramid cleared in round ${deal}</th><td>${bonus}</td></tr>`}
      <tr class="mine"><th scope="row">Round ${deal}${ending === "cleared" && !over ? " so far" : ""}</th><td>${points[0]}</td></tr>
      ${deal > 1 && html`<tr class="mine"><th scope="row">All rounds</th><td>${match.view.scores[0]}</td></tr>`}
    </tbody></table>
    ${over && match.you !== null && html`<${Score} match=${match} store=${store} />`}`;
}

const cards = (n) => (n === 1 ? "1 card" : `${n} cards`);

/** What stands where the buttons were, once the match is over. */
export function Ended({ match, store }) {
  if (match.status === "playing" || match.you === null) return null;
  return html`<div class="match-end"><${Score} match=${match} store=${store} folded />
    ${match.options.practice && html`<${Deals} match=${match} store=${store} />`}</div>`;
}

function Score({ match, store, folded }) {
  const [, again] = useState(0);
  const [problem, tell] = useState(null);
  const [busy, set] = useState(false);
  const player = useWho();
  const answer = answers.get(match.id);
  const why = whyNot(match);
  const [known, know] = useState(Boolean(answer || why));
  useEffect(() => {
    if (known) return;
    const told = (posted) => (posted && answers.set(match.id, posted), know(true));
    get(`${store.path}/score${query({ key: store.key })}`).then(told, () => know(true)); // posting it will tell what is wrong
  }, []);
  if (!known) return null;
  if (answer) return html`<${Posted} ...${answer} player=${player?.name} game=${match.game} folded=${folded} />`;
  if (why) return html`<p class="soft">${why} ${player?.guest && html`<a href="/sign-in">Sign in</a>`}</p>`;
  async function send() {
    set(true);
    try {
      answers.set(match.id, await post(`${store.path}/score`));
    } catch (refused) {
      tell(refused);
    }
    set(false);
    again((n) => n + 1);
  }
  return html`<div class="posting">
    ${problem ? html`<p role="alert">${problem.message}</p>` : html`<button type="button" class="button main" disabled=${busy} onClick=${send}>Post the score: ${match.seats[0].score}</button>
    <p class="soft">Once, and before you begin another match.</p>`}</div>`;
}

function whyNot(match) {
  if (match.status === "voided") return "A match that is void has no score to post.";
  if (match.status !== "finished") return "A match that was called off has no score to post.";
  if (match.options.practice) return "This was practice: it counts for nothing.";
  if (Object.keys(match.view.options).length) return "Only scores by the usual rules can be posted.";
  return match.rated ? null : "This match does not count: its player was not signed in when it began, or it was made so.";
}

function Posted({ points, rank, top, player, game, folded }) {
  const mine = (line) => line.player === player && line.value === points;
  const table = top && html`<table class="sheet"><caption>Today’s top ten</caption>
    <thead><tr><th scope="col">Rank</th><th scope="col">Player</th><th scope="col">Points</th></tr></thead>
    <tbody>${top.map((line) => html`<tr key=${line.rank} class=${mine(line) ? "mine" : ""}>
      <td>${line.rank}</td><th scope="row">${line.player}</th><td>${line.value}</td></tr>`)}</tbody></table>`;
  return html`<div class="posted" role="status"><p>Posted: <b>${points} points, rank ${rank}</b> today. <a href="/boards/${game}">All boards</a></p>
    ${!folded && table}</div>`;
}
