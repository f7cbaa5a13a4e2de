// SPDX-License-Identifier: BSD-2-Clause
// Shows the text of a problem with errors at their lines.

import {element} from './dom.js';

const WHOLE = 400, AROUND = 3; // maximum number of lines; for longer texts, lines around an error

/** Mistakes in lines like `tp1.yaml:12:3: model.mass: what is wrong`; others have no line. */
export function mistakesIn(text) {
  return text.split('\n').filter(Boolean).map(line => {
    const [, where, column, what] = /^[^:]*:(\d+):(\d+): (.*)$/.exec(line) ?? [];
    return what === undefined ? {line: null, message: line} : {line: Number(where), column: Number(column), message: what};
  });
}

const describe = mistake => mistake.key && !mistake.message.startsWith(mistake.key) ? `${mistake.key}: ${mistake.message}` : mistake.message;

export function problem(text, mistakes = []) {
  const lines = text.replace(/\n$/, '').split('\n'), at = new Map();
  for (const mistake of mistakes)
    if (mistake.line) at.set(mistake.line, [...(at.get(mistake.line) ?? []), mistake]);
  const near = n => [...at.keys()].some(line => Math.abs(line - n) <= AROUND);
  const shown = lines.length <= WHOLE ? () => true : at.size ? near : n => n <= WHOLE;
  const elsewhere = mistakes.filter(mistake => !mistake.line || mistake.line > lines.length);
  const list = element('ol', {class: 'code', tabindex: 0, 'aria-label': 'Problem file'});
  let left = 0;
  lines.forEach((line, k) => {
    const n = k + 1, here = at.get(n) ?? [];
    if (!shown(n)) {
      if (!left++) list.append(element('li', {}, element('span', {class: 'number'}, '…')));
      return;
    }
    left = 0;
    list.append(element('li', {class: here.length ? 'wrong' : null}, element('span', {class: 'number'}, String(n)),
      element('span', {}, line), ...here.map(mistake => element('span', {class: 'mistake'}, `${mistake.column}: ${describe(mistake)}`))));
  });
  const parts = elsewhere.length ? [element('ul', {class: 'mistakes'}, ...elsewhere.map(mistake => element('li', {}, describe(mistake))))] : [];
  return [...parts, list];
}
