// SPDX-License-Identifier: BSD-2-Clause
// Submits problems: a text, a selected file, or files dropped anywhere on the page.

import {Refusal, askJson} from './api.js';
import {element, tell} from './dom.js';
import {problem} from './problem.js';

const COMMANDS = ['', 'control', 'simulate', 'sweep', 'identify'];

async function submit(text, options) {
  const query = new URLSearchParams(Object.entries(options).flatMap(([key, value]) => [value].flat().filter(Boolean).map(one => [key, one])));
  return (await askJson(`/jobs?${query}`, {method: 'POST', body: text, headers: {'Content-Type': 'text/plain; charset=utf-8'}})).name;
}

export class Submit {
  path = '/status';

  constructor(main) {
    this.text = element('textarea', {id: 'text', spellcheck: false, autocomplete: 'off', 'aria-describedby': 'hint'});
    this.name = element('input', {id: 'job', autocomplete: 'off', placeholder: 'problem'});
    this.command = element('select', {id: 'command'}, ...COMMANDS.map(name => element('option', {value: name}, name || 'as the file says')));
    this.priority = element('input', {id: 'priority', type: 'number', min: -100, max: 100, value: 0});
    this.set = element('textarea', {id: 'set', class: 'lines', spellcheck: false, placeholder: 'time.step=0.01'});
    this.vary = element('textarea', {id: 'vary', class: 'lines', spellcheck: false, placeholder: 'model.friction=5:20:4'});
    this.files = element('input', {id: 'files', type: 'file', multiple: true, accept: '.yaml,.yml', change: () => this.take([...this.files.files])});
    this.button = element('button', {type: 'submit'}, 'Submit');
    this.result = element('section');
    const field = (label, input) => element('div', {}, element('label', {for: input.id}, label), input);
    this.form = element('form', {submit: event => { event.preventDefault(); this.send(); }},
      element('div', {class: 'row'}, field('Problem files', this.files), field('Name', this.name), field('Command', this.command),
        field('Priority', this.priority)),
      element('details', {}, element('summary', {}, 'Settings'), field('Settings, one a line', this.set),
        field('What a sweep varies, one a line', this.vary)),
      field('Problem', this.text), element('p', {class: 'row'}, this.button));
    main.replaceChildren(element('h1', {}, 'Submit a problem'),
      element('p', {id: 'hint', class: 'dim'}, 'Choose or drop files anywhere, or write one here. Several are submitted at once. It is checked first.'),
      this.form, this.result);
  }

  show({read_only, priority_max}) {
    this.form.hidden = read_only;
    this.priority.max = priority_max;
  }

  /** A single file is shown as text for review; several files are submitted at once. */
  async take(files) {
    if (files.length === 1) {
      this.text.value = await files[0].text();
      this.name.value = files[0].name;
      this.result.replaceChildren();
      this.button.focus();
      return;
    }
    const list = element('ul');
    this.result.replaceChildren(element('h2', {}, 'Submitted'), list);
    for (const file of files) list.append(element('li', {}, ...await this.sendFile(file)));
    tell(list.textContent);
  }

  options(name) {
    const lines = ({value}) => value.split('\n').map(line => line.trim());
    return {name, command: this.command.value, priority: this.priority.value, set: lines(this.set), vary: lines(this.vary)};
  }

  async sendFile(file) {
    try {
      const name = await submit(await file.text(), this.options(file.name));
      return [element('a', {href: `#/jobs/${name}`}, name)];
    } catch (error) {
      const first = error.body?.mistakes?.[0];
      return [`${file.name}: `, element('span', {class: 'mistakes'}, first ? `line ${first.line}: ${first.message}` : error.message)];
    }
  }

  /** The button keeps its place and the focus while a problem is checked. */
  async send() {
    if (this.button.getAttribute('aria-disabled')) return;
    const text = this.text.value;
    this.button.setAttribute('aria-disabled', true);
    this.result.replaceChildren(element('p', {}, 'being checked ..'));
    try {
      const name = await submit(text, this.options(this.name.value || 'problem'));
      tell(`${name} is submitted`);
      location.hash = `#/jobs/${name}`;
    } catch (error) {
      const mistakes = error instanceof Refusal ? error.body.mistakes ?? [] : [];
      tell(`Not submitted: ${error.message}${mistakes.length ? `, ${mistakes.length} of them` : ''}`);
      this.result.replaceChildren(element('h2', {}, 'Not submitted'), element('p', {class: 'mistakes'}, error.message),
        ...(mistakes.length ? problem(text, mistakes) : []));
    }
    this.button.removeAttribute('aria-disabled');
  }

  close() {}
}
