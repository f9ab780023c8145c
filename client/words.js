// The lines of the log and the names at a table, for people.
import { short } from "./cards.js";

const DEALER = -1; // in a log: who shuffles and deals
const TABLE = -2; // and who tells of the table: joined, started, resigned
const CODES = /\b[A2-9TJQK][CDHS]\b/g;

export const withSigns = (text) => text.replace(CODES, (card) => short(card));
/** Words of the API as people have them: cards with their signs, melds counted from 1. */
export const spoken = (text) => withSigns(text.replace(/\bmeld (\d+)\b/g, (_, n) => `meld ${Number(n) + 1}`));

/** Who sits in a seat: "You", a player's name, or the bot. */
export function nameOf(match, seat) {
  const { player, bot, invited } = match.seats[seat];
  if (seat === match.you) return "You";
  const twins = bot && match.seats.filter((each) => !each.player && each.bot === bot).length > 1;
  return player ?? (bot ? `${capital(bot)} bot${twins ? ` ${seat + 1}` : ""}` : invited ? `${invited} (invited)` : "Open seat");
}

/** A line of the log: "ann draws a card from the stock". */
export function line(match, { last, words }) {
  if (last.seat === TABLE) return begun(match, seated(match, words));
  const told = spoken(words).replace(/\bseat (\d)\b/g, (_, seat) => nameOf(match, Number(seat)));
  if (last.seat === DEALER) return begun(match, ofYou(told));
  const who = nameOf(match, last.seat);
  return `${who} ${ofYou(who === "You" ? toYou(told) : told)}`;
}

/** With a capital, unless it begins with a player's name. */
const begun = (match, told) => (match.seats.some(({ player }) => player && told.startsWith(`${player} `)) ? told : sentence(told));

/** What the table tells: "seat 0 resigns", "ann takes seat 0". */
function seated(match, words) {
  const told = words.replace(/^seat (\d)\b/, (_, seat) => nameOf(match, Number(seat))).replace(/\bseat (\d)\b/g, (_, seat) => `seat ${Number(seat) + 1}`)
    .replace(/^a bot \((\w+)\)/, "$1 bot").replace(/\ba bot \((\w+)\)/, "the $1 bot"); // as it is called at the table
  const mine = ["You", match.seats[match.you]?.player].find((name) => name && told.startsWith(`${name} `));
  return mine ? `You ${toYou(told.slice(mine.length + 1))}` : told;
}

/** "draws a card and lays" is "draw a card and lay" of oneself. */
export const toYou = (words) => words.replace(/^passes\b/, "pass").replace(/\bgoes\b/, "go").replace(/(^| and )(\w+?)s\b/g, "$1$2");
const ofYou = (words) => words.replace(/\bYou (\w+)s\b/g, "You $1"); // "You deals", "You scores 31"
/** Who plays alone plays round after round. */
export const dealWord = (match) => (match.seats.length === 1 ? "round" : "deal");
const capital = (text) => text[0].toUpperCase() + text.slice(1);
export const sentence = capital;

/** An action as the words of a button: "Lay off 7♥, meld 1". */
export function actionWords({ type, ...rest }) {
  const told = Object.entries(rest).map(([field, value]) =>
    typeof value === "number" ? `${field} ${value + 1}` : [value].flat(9).map(sign).join(" "),
  );
  return [capital(type.replaceAll("_", " ")), told.join(", ")].filter(Boolean).join(" ");
}

/** What a hint advises in the words of the table's buttons: "draw", "take 7♣", "lay 7♥ off on meld 1". */
export function advised({ action, words }, top) {
  if (action.type === "draw_stock") return "draw";
  if (action.type === "take_discard") return `take ${short(top)}`;
  return toYou(spoken(words));
}

const sign = (text) => withSigns(String(text));

/** "+6 points (4 to 8)": what an action is expected to bring, and its interval. */
export function pointsOf({ points, low, high, samples }) {
  const signed = (number) => `${Math.round(number) > 0 ? "+" : Math.round(number) < 0 ? "−" : ""}${Math.abs(Math.round(number))}`;
  const told = `${signed(points)} ${Math.abs(Math.round(points)) === 1 ? "point" : "points"}`;
  return samples > 1 ? `${told} (${signed(low)} to ${signed(high)})` : told;
}

/** "30 November 2026" */
export const day = (text) => new Date(text).toLocaleDateString(undefined, { day: "numeric", month: "long", year: "numeric" });

/** A date as near as one needs it: "14:05", "30 Nov". */
export function when(text) {
  const date = new Date(text);
  const today = new Date().toDateString() === date.toDateString();
  const form = today ? { hour: "numeric", minute: "2-digit" } : { day: "numeric", month: "short" };
  return date.toLocaleString(undefined, form);
}
