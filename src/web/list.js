// The list of jobs: rows that stay, of which only what differs is drawn again.

import {dress, duration, element, known, number, rate, say, when} from './dom.js';

const COLUMNS = [
  ['Job', null], ['State', 'State'], ['Rounds', 'rounds'], ['J', 'J'], ['E1', 'E1'], ['E2', 'E2'], ['Edge', 'edge'],
  ['Simulations', 'rate'], ['Time', ''], ['Submitter', 'by']];
const STATES = ['running', 'waiting', 'done', 'failed', 'cancelled'];

/** How a job stands, in a few words. */
export function standing(job) {
  if (job.state === 'done') return job.exit === 3 ? 'done, target not met' : 'done';
  return job.state;
}

function timing(job) {
  if (job.state === 'running') return known(job.time_left) ? `${duration(job.time_left)} left` : '';
  return known(job.ended) ? `ended ${when(job.ended)}` : '';
}

class Row {
  constructor(name) {
    this.link = element('a', {href: `#/jobs/${name}`}, name);
    this.title = element('span', {class: 'title'});
    this.state = element('span', {class: 'state'});
    this.why = element('span', {class: 'title'});
    this.cells = COLUMNS.slice(2).map(([, label], k) => element('td', {class: k < 6 ? 'n' : null, 'data-label': label}));
    this.element = element('tr', {}, element('th', {scope: 'row'}, this.link, this.title), element('td', {}, this.state, this.why), ...this.cells);
  }

  show(job) {
    say(this.title, job.title ?? '');
    say(this.state, standing(job));
    dress(this.state, `state ${job.state}`);
    say(this.why, job.error ?? '');
    const texts = [number(job.rounds), number(job.J), number(job.E1, 3), number(job.E2, 3), number(job.edge, 3),
      rate(job.ivps_per_second), timing(job), job.submitter ?? ''];
    texts.forEach((text, k) => say(this.cells[k], text));
    this.words = [job.name, job.title, job.state, job.submitter, job.command, job.error].join(' ').toLowerCase();
    this.is = job.state;
  }

  filter(words, state) {
    const hidden = (state && this.is !== state) || !words.every(word => this.words.includes(word));
    if (this.element.hidden !== hidden) this.element.hidden = hidden;
    return !hidden;
  }
}

export class List {
  constructor(main) {
    this.rows = new Map();
    const filter = () => this.filter();
    this.text = element('input', {id: 'filter', type: 'search', autocomplete: 'off', input: filter});
    this.state = element('select', {id: 'state', change: filter}, element('option', {value: ''}, 'all states'),
      ...STATES.map(state => element('option', {value: state}, state)));
    this.shown = element('p', {class: 'dim', role: 'status'});
    this.body = element('tbody');
    this.empty = element('p', {hidden: true}, 'There are no jobs yet.');
    main.replaceChildren(
      element('h1', {}, 'Jobs'),
      element('div', {class: 'row', role: 'search'},
        element('div', {}, element('label', {for: 'filter'}, 'Filter'), this.text),
        element('div', {}, element('label', {for: 'state'}, 'State'), this.state), this.shown),
      element('table', {},
        element('thead', {}, element('tr', {}, ...COLUMNS.map(([name], k) => element('th', {scope: 'col', class: k >= 2 && k < 8 ? 'n' : null}, name)))),
        this.body),
      this.empty);
  }

  show(list) {
    const gone = new Set(this.rows.keys());
    list.jobs.forEach((job, at) => {
      const row = this.rows.get(job.name) ?? new Row(job.name);
      gone.delete(job.name);
      this.rows.set(job.name, row);
      row.show(job);
      if (this.body.children[at] !== row.element) this.body.insertBefore(row.element, this.body.children[at] ?? null);
    });
    for (const name of gone) {
      this.rows.get(name).element.remove();
      this.rows.delete(name);
    }
    this.all = Object.values(list.counts).reduce((sum, n) => sum + n, 0);
    this.filter();
  }

  filter() {
    const words = this.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const row of this.rows.values()) n += row.filter(words, this.state.value);
    say(this.shown, n < this.all ? `${n} of ${this.all}` : '');
    this.empty.hidden = this.rows.size > 0;
  }

  close() {}
}
