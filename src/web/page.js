// SPDX-License-Identifier: BSD-2-Clause
// The page: selects the view by the address (#/, #/submit, #/jobs/NAME, #/jobs/NAME/STATE) and polls the server every second or two.

import {Refusal, askJson, poll, setToken} from './api.js';
import {rate, say, tell} from './dom.js';
import {Job} from './job.js';
import {List, STATES} from './list.js';
import {Submit} from './submit.js';

const main = document.getElementById('main'), trouble = document.getElementById('trouble'), login = document.getElementById('login');
const PHASES = {serving: 'serving', stopping: 'stopping', ended: 'no service: it has ended', dead: 'no service: it says nothing any more',
  none: 'no service yet'};
let view = null, shown = null, latest = null, list = null, declined = false;

/** Shows the phase of the service and, with the list, the numbers of jobs. */
function showService(answer) {
  const phase = PHASES[answer.phase] ?? answer.phase;
  const counts = answer.jobs ? `: ${STATES.map(state => `${answer.counts[state]} ${state}`).join(', ')}` : '';
  if (latest && latest.phase !== answer.phase) tell(phase);
  say(document.getElementById('service'), phase + counts);
  say(document.getElementById('rate'), answer.jobs && answer.phase === 'serving' ? rate(answer.ivps_per_second) : '');
  document.getElementById('to_submit').hidden = answer.read_only;
  latest = answer;
}

/** Requests only the data of the current view. */
async function look() {
  if (!view) return; // the address is not yet read
  const here = view, answer = await askJson(here.path);
  if (here !== view) return;
  showService(answer);
  if (here instanceof List) list = answer;
  await here.show(answer);
}

function failed(error) {
  trouble.hidden = !error;
  if (!error) return;
  if (error instanceof Refusal && error.status === 401) {
    trouble.hidden = !declined;
    if (declined)
      say(trouble, 'A token is needed. Reload the page to enter it.');
    else if (!login.open)
      login.showModal();
  } else {
    say(trouble, error instanceof Refusal && error.status === 404 ? 'There is no such job.' : `No answer: ${error.message}`);
  }
}

const polling = poll(look, failed);

login.addEventListener('close', () => {
  const input = document.getElementById('token');
  declined = login.returnValue !== 'token'; // after Escape the dialog is not shown again
  if (!declined) setToken(input.value);
  input.value = '';
  login.returnValue = '';
  polling.now();
});

function route() {
  if (shown === location.hash) return;
  shown = location.hash;
  const [, kind, name, from] = location.hash.split('/');
  view?.close();
  trouble.hidden = true;
  view = kind === 'jobs' && name ? new Job(main, name, from) : kind === 'submit' ? new Submit(main) : new List(main, () => polling.now());
  document.title = kind === 'jobs' ? `${name} - stiction` : kind === 'submit' ? 'Submit a problem - stiction' : 'stiction';
  if (list && view instanceof List) view.show(list);
  polling.now();
}

// Files dropped anywhere.
const drop = document.getElementById('drop');
let inside = 0;
addEventListener('dragenter', event => { if (event.dataTransfer?.types.includes('Files')) drop.hidden = ++inside === 0; });
addEventListener('dragleave', () => { inside = Math.max(0, inside - 1); drop.hidden = inside === 0; });
addEventListener('dragover', event => event.preventDefault());
addEventListener('drop', event => {
  event.preventDefault();
  inside = 0;
  drop.hidden = true;
  const files = [...event.dataTransfer.files];
  if (!files.length || latest?.read_only) return;
  if (!(view instanceof Submit)) {
    location.hash = '#/submit';
    route();
  }
  view.take(files);
});

addEventListener('hashchange', () => { route(); main.focus(); });
route();
