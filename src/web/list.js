// The list of jobs: rows that stay, of which only what differs is drawn again.

import {dress, duration, element, known, number, rate, say, tell, when} from './dom.js';

const COLUMNS = [
  ['Job', null], ['State', 'State'], ['Rounds', 'rounds'], ['J', 'J'], ['E1', 'E1'], ['E2', 'E2'], ['Edge', 'edge'],
  ['Simulations', 'rate'], ['Time', ''], ['Submitter', 'by']];
export const STATES = ['running', 'waiting', 'done', 'failed', 'cancelled'];

const SAID = 3; // changes that are told one by one
const MOST = 300; // jobs that wait, and that have ended

/** How a job stands, in a few words. */
export function standing(job) {
  if (job.state === 'done') return job.exit === 3 ? 'done, target not met' : 'done';
  return job.state;
}

function timing(job) {
  if (job.state === 'running') return known(job.time_left) ? `${duration(job.time_left)} left` : '';
  return known(job.ended) ? `ended ${when(job.ended)}` : '';
}

/** "12 of 300 runs, 1 failed"; nothing of what is no sweep. */
function runsOf(job) {
  if (!known(job.runs) || !known(job.runs_in_all)) return '';
  const bad = [[job.runs_not_met, 'not met'], [job.runs_failed, 'failed']].filter(([n]) => n > 0).map(([n, what]) => `${number(n)} ${what}`);
  return [`${number(job.runs)} of ${number(job.runs_in_all)} runs`, ...bad].join(', ');
}

/** How many of a sweep's runs there are, in words and as a bar. */
export class Runs {
  constructor(name) {
    this.text = element('span', {class: 'title'});
    this.bar = element('progress', {'aria-label': `Runs of ${name}`, value: 0, max: 1});
    this.element = element('span', {hidden: true}, this.text, this.bar);
  }

  show(job) {
    const text = runsOf(job);
    if (text === this.text.textContent && job.state === this.was) return;
    say(this.text, text);
    this.was = job.state;
    this.element.hidden = text === '';
    this.bar.max = job.runs_in_all || 1;
    this.bar.value = job.runs ?? 0;
    this.bar.hidden = job.state !== 'running';
  }
}

class Row {
  constructor(name) {
    this.name = name;
    this.link = element('a', {}, name);
    this.title = element('span', {class: 'title'});
    this.state = element('span', {class: 'state'});
    this.runs = new Runs(name);
    this.why = element('span', {class: 'title'});
    this.cells = COLUMNS.slice(2).map(([, label], k) => element('td', {class: k < 6 ? 'n' : null, 'data-label': label}));
    this.element = element('tr', {}, element('th', {scope: 'row'}, this.link, this.title), element('td', {}, this.state, this.runs.element, this.why), ...this.cells);
  }

  /** only: no other that is listed has this name. */
  show(job, only) {
    const link = `#/jobs/${job.name}${only || job.state === 'waiting' ? '' : `/${job.state}`}`;
    if (this.link.getAttribute('href') !== link) this.link.setAttribute('href', link);
    say(this.title, job.title ?? '');
    say(this.state, standing(job));
    dress(this.state, `state ${job.state}`);
    this.runs.show(job);
    say(this.why, job.error ?? (job.state === 'waiting' ? job.reason : null) ?? '');
    const texts = [number(job.rounds), number(job.J), number(job.E1, 3), number(job.E2, 3), number(job.edge, 3),
      rate(job.ivps_per_second), timing(job), job.submitter ?? ''];
    texts.forEach((text, k) => say(this.cells[k], text));
    this.words = [job.name, job.title, job.state, job.submitter, job.command, this.why.textContent].join(' ').toLowerCase();
    this.is = job.state;
  }

  filter(words, state) {
    const hidden = (state && this.is !== state) || !words.every(word => this.words.includes(word));
    if (this.element.hidden !== hidden) this.element.hidden = hidden;
    return !hidden;
  }
}

/** What tells two jobs of one name apart: one that waits may have the name of another, until it begins. */
const keyOf = job => `${job.name} ${job.state}`;

/**
 * The row of each job of a list, and those that are left over. A job has the row that it had, by its name and its state; else one
 * of its name that nobody has; else a new one.
 */
function rowsOf(jobs, rows) {
  const left = new Set(rows.values()), found = jobs.map(job => {
    const row = rows.get(keyOf(job));
    return left.delete(row) ? row : null;
  });
  const byName = new Map([...left].map(row => [row.name, row]));
  return [jobs.map((job, k) => {
    const row = found[k] ?? byName.get(job.name) ?? new Row(job.name);
    if (!found[k]) byName.delete(job.name);
    left.delete(row);
    return row;
  }), left];
}

export class List {
  /** What is filtered is all that the server lists; else the newest do. */
  get path() { return this.text.value || this.state.value ? '/jobs' : `/jobs?most=${MOST}`; }

  /** again(): has the server asked at once. */
  constructor(main, again) {
    this.rows = new Map();
    const filter = () => {
      this.filter();
      this.filtered = true; // to be told when the answer is there
      again();
    };
    this.text = element('input', {id: 'filter', type: 'search', autocomplete: 'off', input: filter});
    this.state = element('select', {id: 'state', change: filter}, element('option', {value: ''}, 'all states'),
      ...STATES.map(state => element('option', {value: state}, state)));
    this.shown = element('p', {class: 'dim'});
    this.body = element('tbody');
    this.empty = element('p', {hidden: true}, 'There are no jobs yet.');
    main.replaceChildren(
      element('h1', {}, 'Jobs'),
      element('div', {class: 'row', role: 'search', 'aria-label': 'What is listed'},
        element('div', {}, element('label', {for: 'filter'}, 'Filter'), this.text),
        element('div', {}, element('label', {for: 'state'}, 'State'), this.state), this.shown),
      element('table', {'aria-label': 'Jobs'},
        element('thead', {}, element('tr', {}, ...COLUMNS.map(([name], k) => element('th', {scope: 'col', class: k >= 2 && k < 8 ? 'n' : null}, name)))),
        this.body),
      this.empty);
  }

  show(list) {
    const first = this.all === undefined, changed = [], focused = document.activeElement, [rows, gone] = rowsOf(list.jobs, this.rows);
    const times = new Map();
    for (const {name} of list.jobs) times.set(name, (times.get(name) ?? 0) + 1);
    this.rows = new Map();
    list.jobs.forEach((job, at) => {
      const row = rows[at];
      let key = keyOf(job);
      while (this.rows.has(key)) key += ' '; // two that wait under one name
      this.rows.set(key, row);
      if (row.is !== job.state && !this.filtered) changed.push(`${job.name}: ${standing(job)}`);
      row.show(job, times.get(job.name) === 1);
      this.place(row.element, at);
    });
    if (this.body.contains(focused)) focused.focus({preventScroll: true}); // its row may have been moved
    for (const row of gone) row.element.remove();
    if (!first && changed.length) tell(changed.length > SAID ? `${changed.length} jobs have changed` : changed.join(', '));
    this.all = Object.values(list.counts).reduce((sum, n) => sum + n, 0);
    const n = this.filter();
    if (this.filtered) tell(`${n} of ${this.all} jobs are shown`);
    this.filtered = false;
  }

  /** Puts a row where it belongs; where another has gone away from there, only that one is moved. */
  place(row, at) {
    const there = this.body.children[at];
    if (there === row) return;
    if (there?.nextSibling === row)
      this.body.append(there);
    else
      this.body.insertBefore(row, there ?? null);
  }

  /** How many are shown. */
  filter() {
    const words = this.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const row of this.rows.values()) n += row.filter(words, this.state.value);
    say(this.shown, n < this.all ? `${n} of ${this.all}` : '');
    this.empty.hidden = this.rows.size > 0;
    return n;
  }

  close() {}
}
