// SPDX-License-Identifier: BSD-2-Clause
// The page of a job.

import {Refusal, ask, askJson, askText, jobPath, patiently} from './api.js';
import {chart} from './chart.js';
import {dress, duration, element, known, number, rate, say, tell, when} from './dom.js';
import {Runs, standing} from './list.js';
import {mistakesIn, problem} from './problem.js';

const FACTS = [
  ['Command', job => job.command], ['Submitter', job => job.submitter], ['Priority', job => number(job.priority)],
  ['Submitted', job => when(job.submitted)], ['Ended', job => when(job.ended)], ['Took', job => duration(job.seconds)],
  ['Time left', job => duration(job.time_left)], ['Rounds', job => number(job.rounds)], ['Evaluations', job => number(job.evaluations)],
  ['Simulations', job => rate(job.ivps_per_second)], ['Merit', job => number(job.best, 10)], ['J', job => number(job.J, 10)],
  ['E1', job => number(job.E1, 3)], ['E2', job => number(job.E2, 3)], ['Edge', job => number(job.edge, 3)],
  ['Exit code', job => number(job.exit)], ['Waits because', job => job.state === 'waiting' ? job.reason : null],
  ['Ended by', job => job.state === 'waiting' ? null : job.reason]];
const LIVE = new Set(['waiting', 'running']);

/** Returns the result of a promise; null if the resource does not exist (yet). */
async function orNull(promise) {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Refusal && error.status !== 401) return null;
    throw error;
  }
}

async function confirmed(name) {
  const dialog = document.getElementById('confirm');
  document.getElementById('confirm_title').textContent = `Cancel ${name}?`;
  dialog.returnValue = 'no';
  dialog.showModal();
  await new Promise(done => dialog.addEventListener('close', done, {once: true}));
  return dialog.returnValue === 'yes';
}

/** Saves a file of a job: a link alone would not send the token. */
async function save(name, file, path) {
  const url = URL.createObjectURL(await (await ask(path)).blob());
  element('a', {href: url, download: `${name}-${file.replaceAll('/', '-')}`}).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Shows the figures of a report as images, so that scripts in them cannot run. */
function figuresOf(report) {
  const parsed = new DOMParser().parseFromString(report.replace(/<style>[^]*?<\/style>/, ''), 'text/html');
  return [...parsed.querySelectorAll('figure')].filter(figure => figure.querySelector('svg')).map(figure => {
    const svg = figure.querySelector('svg'), [heading, caption] = ['h3', 'p'].map(part => figure.querySelector(part)?.textContent ?? '');
    svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)], {type: 'image/svg+xml'}));
    return element('figure', {}, element('figcaption', {}, element('h3', {}, heading), element('p', {class: 'dim'}, caption)),
      element('img', {src: url, alt: caption || heading, load: () => URL.revokeObjectURL(url)}));
  });
}

export class Job {
  /** from: selects among jobs of the same name the first in this state or a later one; undefined: any. */
  constructor(main, name, from) {
    this.main = main;
    this.name = name;
    this.from = from;
    this.path = this.pathOf();
    this.heading = element('h1', {}, name);
    this.title = element('p', {class: 'dim'});
    this.state = element('span', {class: 'state'});
    this.cancel = element('button', {class: 'danger', click: () => this.askCancel(), hidden: true}, 'Cancel');
    this.note = element('span');
    this.runs = new Runs(name);
    this.facts = new Map(FACTS.map(([label]) => {
      const value = element('dd');
      return [label, {value, box: element('div', {hidden: true}, element('dt', {}, label), value)}];
    }));
    this.chart = element('div', {class: 'chart'});
    this.error = element('section', {hidden: true});
    this.figures = element('section', {'aria-busy': false});
    this.files = element('section');
    this.problem = element('section');
    this.drawn = '';
    this.there = [];
    main.replaceChildren(element('p', {}, element('a', {href: '#/'}, 'All jobs')), this.heading, this.title,
      element('p', {class: 'row'}, this.state, this.cancel, this.note), this.runs.element,
      element('dl', {class: 'facts'}, ...[...this.facts.values()].map(({box}) => box)),
      this.error, this.chart, this.figures, this.problem, this.files);
  }

  /** Returns the path of the job, or of a resource of it. */
  pathOf(rest = '') { return jobPath(this.name, rest) + (this.from ? `?from=${encodeURIComponent(this.from)}` : ''); }

  async show(job) {
    const changed = this.was !== job.state, live = LIVE.has(job.state);
    if (changed && this.was) tell(`${this.name}: ${standing(job)}`);
    say(this.title, job.title ?? '');
    say(this.state, standing(job));
    dress(this.state, `state ${job.state}`);
    this.runs.show(job);
    if (!live && document.activeElement === this.cancel) this.main.focus(); // the button disappears
    this.cancel.hidden = job.read_only || !live;
    if (!live && changed) say(this.note, '');
    for (const [label, text] of FACTS) {
      const {value, box} = this.facts.get(label), now = text(job) ?? '';
      say(value, now);
      box.hidden = now === '';
    }
    if (changed || (live && !this.has('search.csv'))) this.there = (await orNull(askJson(this.pathOf('/files'))))?.files ?? [];
    if (job.state === 'running' || changed) await this.drawChart();
    if (changed) await this.drawState(job);
    this.was = job.state;
  }

  has(file) { return this.there.some(({name}) => name === file); }

  /** Whether a report can be drawn: of a run, or of a sweep. */
  hasResults() { return this.has('summary.json') || this.has('sweep.csv'); }

  /** Returns the text of a file, or null. */
  text(file) { return this.has(file) ? orNull(askText(this.pathOf(`/files/${file}`))) : null; }

  async drawChart() {
    if (!this.has('search.csv')) return;
    const search = await orNull(askJson(this.pathOf('/search'))), text = JSON.stringify(search?.rows ?? []);
    if (!search?.rows.length || text === this.drawn) return;
    this.drawn = text;
    this.chart.replaceChildren(element('h2', {}, 'Convergence'), chart(search));
  }

  /** Updates the parts that change only with the state. */
  async drawState(job) {
    const [text, error] = await Promise.all([this.text('problem.yaml'), this.text('error.txt')]);
    this.error.hidden = !error;
    this.error.replaceChildren(...(error ? [element('h2', {}, 'What is wrong'), element('p', {class: 'mistakes'}, job.error ?? '')] : []));
    if (text !== null)
      this.problem.replaceChildren(element('h2', {}, 'Problem'), ...problem(text, error ? mistakesIn(error) : []));
    if (LIVE.has(job.state)) return;
    this.drawFiles();
    if (this.hasResults()) this.drawFigures();
  }

  drawFiles() {
    const report = this.hasResults() && !this.has('report.html');
    const files = [...this.there, ...(report ? [{name: 'report.html'}] : [])];
    const line = ({name, size}) => element('li', {}, element('button', {click: () => this.save(name)}, name),
      known(size) ? ` ${number(size)} bytes` : ' drawn when it is asked for');
    this.files.replaceChildren(...(files.length ? [element('h2', {}, 'Files'), element('ul', {}, ...files.map(line))] : []));
  }

  async save(file) {
    try {
      await patiently(() => save(this.name, file, this.pathOf(`/files/${file}`)), () => !this.closed);
    } catch (error) {
      this.say(`${file}: ${error.message}`);
    }
  }

  async drawFigures() {
    this.figures.setAttribute('aria-busy', 'true');
    this.figures.replaceChildren(element('h2', {}, 'Figures'), element('p', {class: 'dim'}, 'being drawn ..'));
    let drawn = [];
    try {
      const figures = figuresOf(await patiently(() => askText(this.pathOf('/files/report.html')), () => !this.closed));
      if (figures.length) drawn = [element('div', {class: 'figures'}, ...figures)];
    } catch (error) {
      drawn = [element('p', {class: 'dim'}, error.message)];
    }
    this.figures.setAttribute('aria-busy', 'false');
    this.figures.replaceChildren(...(drawn.length ? [element('h2', {}, 'Figures'), ...drawn] : []));
  }

  async askCancel() {
    if (!await confirmed(this.name)) return;
    try {
      await ask(this.path, {method: 'DELETE'});
      this.say('asked to be cancelled');
    } catch (error) {
      this.say(`not cancelled: ${error.message}`);
    }
  }

  /** Shows a message beside the state, and announces it to screen readers. */
  say(text) {
    say(this.note, text);
    tell(text);
  }

  close() { this.closed = true; }
}
