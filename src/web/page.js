// The page: which part of it is shown (#/, #/submit, #/jobs/NAME, #/jobs/NAME/STATE), and what the server says, a second or two ago.

import {Refusal, askJson, poll, setToken} from './api.js';
import {rate, say, tell} from './dom.js';
import {Job} from './job.js';
import {List, STATES} from './list.js';
import {Submit} from './submit.js';

const main = document.getElementById('main'), trouble = document.getElementById('trouble'), login = document.getElementById('login');
const PHASES = {serving: 'serving', stopping: 'stopping', ended: 'no service: it has ended', dead: 'no service: it says nothing any more',
  none: 'no service yet'};
let view = null, shown = null, latest = null, list = null, declined = false;

/** The phase of the service; of the list also how many jobs there are. */
function showService(told) {
  const phase = PHASES[told.phase] ?? told.phase;
  const counts = told.jobs ? `: ${STATES.map(state => `${told.counts[state]} ${state}`).join(', ')}` : '';
  if (latest && latest.phase !== told.phase) tell(phase);
  say(document.getElementById('service'), phase + counts);
  say(document.getElementById('rate'), told.jobs && told.phase === 'serving' ? rate(told.ivps_per_second) : '');
  document.getElementById('to_submit').hidden = told.read_only;
  latest = told;
}

/** Each view asks for what it shows, and no more. */
async function look() {
  if (!view) return; // the address has not been read yet
  const here = view, told = await askJson(here.path);
  if (here !== view) return;
  showService(told);
  if (here instanceof List) list = told;
  await here.show(told);
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
  declined = login.returnValue !== 'token'; // Escape: the dialog stays away
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
