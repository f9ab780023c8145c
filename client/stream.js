// The events of a match as they come: each once and in order, whatever becomes of the line.
import { address, query } from "./api.js";

const SILENCE = 25_000; // the service says something every 15 seconds
const LONGEST_PAUSE = 10_000;
const SHORT = 1000;
const HELD_TRIES = 2; // then it is asked by long poll: some proxies let no stream through
const POLLS = 20; // and after so many of those a stream is tried again

/**
 * Calls onEvent for each event after the version `after`; onLine(true or false) when the line
 * is there or gone; onEnd(status) when nothing more will come: 204, or a refusal. Returns `stop`.
 */
export function follow(path, key, after, { onEvent, onLine, onEnd }) {
  let stopped = false;
  let current = new AbortController();
  let wake = () => {};
  const heard = (event) => {
    if (event.version <= after) return;
    after = event.version;
    onEvent(event);
  };

  async function held() {
    const silence = watch(() => current.abort());
    try {
      const answer = await ask({}, "application/x-ndjson");
      onLine(true);
      for await (const line of lines(answer.body, silence.reset)) heard(JSON.parse(line));
    } finally {
      silence.stop();
    }
  }

  async function poll() {
    const answer = await ask({ wait: 20 }, "application/json");
    onLine(true);
    const { results, next } = await answer.json();
    results.forEach(heard);
    if (next === null) throw new Ended(204);
  }

  async function ask(extra, accept) {
    const asked = `${path}/events${query({ after, key, ...extra })}`;
    const options = { headers: { Accept: accept }, signal: current.signal };
    const answer = await fetch(address(asked), options);
    if (answer.status === 204 || (answer.status >= 400 && answer.status < 429)) {
      throw new Ended(answer.status);
    }
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return answer;
  }

  const pause = (ms) => new Promise((done) => ((wake = done), setTimeout(done, ms)));

  async function run() {
    for (let failures = 0, polls = 0; !stopped; ) {
      current = new AbortController();
      const began = performance.now();
      const before = after;
      try {
        const polling = failures >= HELD_TRIES && polls < POLLS;
        await (polling ? poll() : held());
        polls = polling ? polls + 1 : 0;
        if (!polling) failures = 0;
        // A server that holds nothing answers at once, and is not to be asked all the time.
        if (after === before && performance.now() - began < SHORT) await pause(SHORT);
      } catch (problem) {
        if (stopped) return;
        if (problem instanceof Ended) return onEnd(problem.status);
        onLine(false);
        failures += 1;
        await pause(Math.min(LONGEST_PAUSE, 250 * 2 ** Math.min(failures, 6)));
      }
    }
  }

  const cut = () => (onLine(false), current.abort());
  const back = () => wake();
  addEventListener("offline", cut);
  addEventListener("online", back);
  run();
  return () => {
    stopped = true;
    removeEventListener("offline", cut);
    removeEventListener("online", back);
    current.abort();
    wake();
  };
}

class Ended extends Error {
  constructor(status) {
    super(`ended with ${status}`);
    this.status = status;
  }
}

async function* lines(body, onBytes) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    onBytes();
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    yield* parts.filter(Boolean);
  }
}

function watch(onSilence) {
  let timer = setTimeout(onSilence, SILENCE);
  const stop = () => clearTimeout(timer);
  return { stop, reset: () => (stop(), (timer = setTimeout(onSilence, SILENCE))) };
}
