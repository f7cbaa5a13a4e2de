// SPDX-License-Identifier: BSD-2-Clause
// The list of jobs: rows are kept, and only changed parts are updated.

import {dress, duration, element, known, number, rate, say, tell, when} from './dom.js';

const COLUMNS = [
  ['Job', null], ['State', 'State'], ['Rounds', 'rounds'], ['J', 'J'], ['E1', 'E1'], ['E2', 'E2'], ['Edge', 'edge'],
  ['Simulations', 'rate'], ['Time', ''], ['Submitter', 'by']];
export const STATES = ['running', 'waiting', 'done', 'failed', 'cancelled'];

const SAID = 3; // number of changes that are announced one by one
const MOST = 300; // waiting, and ended jobs

/** Describes a job's state in a few words. */
export function standing(job) {
  if (job.state === 'done') return job.exit === 3 ? 'done, target not met' : 'done';
  return job.state;
}

function timing(job) {
  if (job.state === 'running') return known(job.time_left) ? `${duration(job.time_left)} left` : '';
  return known(job.ended) ? `ended ${when(job.ended)}` : '';
}

/** "12 of 300 runs, 1 failed"; empty for jobs other than sweeps. */
function runsOf(job) {
  if (!known(job.runs) || !known(job.runs_in_all)) return '';
  const bad = [[job.runs_not_met, 'not met'], [job.runs_failed, 'failed']].filter(([n]) => n > 0).map(([n, what]) => `${number(n)} ${what}`);
  return [`${number(job.runs)} of ${number(job.runs_in_all)} runs`, ...bad].join(', ');
}

/** Shows a sweep's progress in words and as a bar. */
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

  /** only: whether no other listed job has this name. */
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

/** Key of a job: a waiting job may have the same name as another until it begins. */
const keyOf = job => `${job.name} ${job.state}`;

/**
 * Assigns a row to each job of a list, and returns unused rows. A job keeps its row, by its name and state; otherwise it gets a free
 * row of its name; otherwise a new one.
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
  /** With a filter all jobs that the server lists are used; otherwise the newest. */
  get path() { return this.text.value || this.state.value ? '/jobs' : `/jobs?most=${MOST}`; }

  /** again(): sends a request at once. */
  constructor(main, again) {
    this.rows = new Map();
    const filter = () => {
      this.filter();
      this.filtered = true; // announce the result when it arrives
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
      while (this.rows.has(key)) key += ' '; // two waiting jobs with the same name
      this.rows.set(key, row);
      if (row.is !== job.state && !this.filtered) changed.push(`${job.name}: ${standing(job)}`);
      row.show(job, times.get(job.name) === 1);
      this.place(row.element, at);
    });
    if (this.body.contains(focused)) focused.focus({preventScroll: true}); // moving its row removes the focus
    for (const row of gone) row.element.remove();
    if (!first && changed.length) tell(changed.length > SAID ? `${changed.length} jobs have changed` : changed.join(', '));
    this.all = Object.values(list.counts).reduce((sum, n) => sum + n, 0);
    const n = this.filter();
    if (this.filtered) tell(`${n} of ${this.all} jobs are shown`);
    this.filtered = false;
  }

  /** Moves a row to its place; if the row at that place belongs elsewhere, moves only that one. */
  place(row, at) {
    const there = this.body.children[at];
    if (there === row) return;
    if (there?.nextSibling === row)
      this.body.append(there);
    else
      this.body.insertBefore(row, there ?? null);
  }

  /** Shows the number of listed jobs. */
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
