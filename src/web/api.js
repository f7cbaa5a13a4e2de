// What is asked of the server, and when.

const KEY = 'stiction-token';
const LIMIT = 120_000; // ms: a report takes a while to be drawn
const PAUSE = 1500, HIDDEN = 15_000, LONGEST = 30_000;

/** An answer that is none: its status, and what the server says. */
export class Refusal extends Error {
  constructor(status, body) {
    super(body.error ?? `the server answers ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** The token is kept by this tab alone and sent as a header, in UTF-8: no other page, and no other server, ever has it. */
export const setToken = token => sessionStorage.setItem(KEY, token);

/** A text whose characters are the bytes of another in UTF-8: a header takes none beyond U+00FF. */
const bytes = text => String.fromCharCode(...new TextEncoder().encode(text));

export async function ask(path, options = {}) {
  const token = sessionStorage.getItem(KEY);
  const headers = token ? {...options.headers, Authorization: `Bearer ${bytes(token)}`} : options.headers;
  const answer = await fetch(path, {...options, headers, redirect: 'error', signal: AbortSignal.timeout(LIMIT)});
  if (!answer.ok) throw new Refusal(answer.status, await answer.json().catch(() => ({})));
  return answer;
}

export const askJson = async (path, options) => (await ask(path, options)).json();
export const askText = async path => (await ask(path)).text();

const TRIES = 40, BETWEEN = 3000;

/** What look() gives; asked again where the server has too much to do (503), as long as wanted() is true. */
export async function patiently(look, wanted = () => true) {
  for (let left = TRIES; ; left--) {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 503 && left > 0 && wanted())) throw error;
      await new Promise(done => setTimeout(done, BETWEEN));
    }
  }
}

/** The path of a job, or of something of it. */
export const jobPath = (name, rest = '') => `/jobs/${encodeURIComponent(name)}${rest}`;

/**
 * Calls look() again and again, a second or two after it is done, seldom while nobody sees the page, and after failures later and later.
 * failed(error, true or false: the first one) hears of these, with null of the first success after one. Returns {now, stop}.
 */
export function poll(look, failed) {
  let timer = 0, failures = 0, stopped = false, busy = false, again = false;
  const later = () => {
    const pause = document.hidden ? HIDDEN : Math.min(PAUSE * 2 ** failures, LONGEST);
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(now, pause);
  };
  async function now() {
    clearTimeout(timer);
    again = busy; // what is looked for may be another thing now
    if (busy || stopped) return;
    busy = true;
    try {
      await look();
      if (failures) failed(null);
      failures = 0;
    } catch (error) {
      failures++;
      if (!stopped) failed(error);
    }
    busy = false;
    if (again)
      now();
    else
      later();
  }
  const seen = () => { if (!document.hidden) now(); };
  document.addEventListener('visibilitychange', seen);
  now();
  return {now, stop() { stopped = true; clearTimeout(timer); document.removeEventListener('visibilitychange', seen); }};
}
