// SPDX-License-Identifier: BSD-2-Clause
// Requests to the server, and their schedule.

const KEY = 'stiction-token';
const LIMIT = 120_000; // ms: drawing a report takes a while
const PAUSE = 1500, HIDDEN = 15_000, LONGEST = 30_000;

/** A failed request: its status, and the server's message. */
export class Refusal extends Error {
  constructor(status, body) {
    super(body.error ?? `the server answers ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** The token is stored only in this tab and sent as a header, in UTF-8, so that no other page or server receives it. */
export const setToken = token => sessionStorage.setItem(KEY, token);

/** Converts a text to one character per byte of its UTF-8 form, as headers allow only characters up to U+00FF. */
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

/** Returns the result of look(); repeats it while the server is overloaded (503) and wanted() is true. */
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

/** Returns the path of a job, or of a resource of it. */
export const jobPath = (name, rest = '') => `/jobs/${encodeURIComponent(name)}${rest}`;

/**
 * Calls look() repeatedly: a second or two after it has finished, rarely while the page is hidden, and with growing delays after failures.
 * Calls failed(error, whether it is the first) after each failure, and with null after the next success. Returns {now, stop}.
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
    again = busy; // the request may have changed in the meantime
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
