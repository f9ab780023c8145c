// Requests to the API. A refusal is a Problem; what may be sent again is sent again by itself.
const BASE = "/api/v1";
// Their answers hold a secret and are not kept, so they take no Idempotency-Key.
const WITHOUT_KEY = ["/players", "/players/guest", "/sessions", "/me/tokens", "/me/webhooks"];
const PAUSES = [300, 1000, 2500, 5000, 10000, 20000];
const TRY_AGAIN = [429, 502, 503, 504];

/** An error the service has told (RFC 9457), or that it did not answer (status 0). */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title);
    Object.assign(this, { status, code: body.code, body, errors: body.errors || [] });
  }
}

export const get = (path, options) => call("GET", path, undefined, options);
export const post = (path, body = {}, options) => call("POST", path, body, options);
export const patch = (path, body, options) => call("PATCH", path, body, options);
export const remove = (path, options) => call("DELETE", path, undefined, options);

/** The decoded answer. `onWait` hears of every pause before the request is sent again. */
export async function call(method, path, body, { onWait } = {}) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET") headers["X-CSRFToken"] = cookie("csrftoken");
  const safe = method === "GET" || !WITHOUT_KEY.includes(path);
  if (method !== "GET" && safe) headers["Idempotency-Key"] = key();
  const request = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
  for (let tries = 0; ; tries++) {
    try {
      return await once(path, request);
    } catch (problem) {
      const again = problem.status === 0 || TRY_AGAIN.includes(problem.status);
      if (!safe || !again || tries === PAUSES.length) throw problem;
      onWait?.(problem);
      await pause(Math.max(PAUSES[tries], 1000 * problem.after || 0));
    }
  }
}

let skew = 0; // of this computer's clock to the service's, which all deadlines are told by
export const serverTime = () => Date.now() + skew;

async function once(path, request) {
  let answer, text;
  try {
    answer = await fetch(address(path), request);
    text = await answer.text();
  } catch {
    throw silence();
  }
  skew = Date.parse(answer.headers.get("Date")) - Date.now() || skew;
  const body = decoded(text);
  if (answer.ok && body === undefined) throw silence(); // something on the way has answered instead
  if (answer.ok) return body;
  const unknown = { code: "unknown", title: `The service answered ${answer.status}.` };
  const problem = new Problem(answer.status, body?.title ? body : unknown);
  problem.after = Number(answer.headers.get("Retry-After"));
  if (problem.code === "not-authenticated") dispatchEvent(new Event("signed-out"));
  throw problem;
}

const silence = () => new Problem(0, { code: "offline", detail: "The service does not answer." });

/** What JSON says; null if there is nothing, undefined if it is something else. */
function decoded(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return undefined;
  }
}

/** Under the API, unless it is already an address that the API gave (`next` of a list). */
export const address = (path) => (path.includes("/api/") ? path : BASE + path);

/** `?a=1&b=2` of what is set. */
export function query(values) {
  const set = Object.entries(values).filter(([, value]) => value != null && value !== "");
  return set.length ? `?${new URLSearchParams(set)}` : "";
}

// randomUUID is there only on https and localhost; a laptop on the home network has neither.
const key = () => crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint32Array(4))].join("-");
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export function cookie(name) {
  const found = document.cookie.split("; ").find((each) => each.startsWith(`${name}=`));
  return found ? found.slice(name.length + 1) : "";
}
