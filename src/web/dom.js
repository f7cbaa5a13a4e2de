// SPDX-License-Identifier: BSD-2-Clause
// Creates elements from text, never from markup, and formats numbers.

/** element('td', {class: 'n', hidden: false}, 'text', another): attributes, without those that are false or null, and children. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (typeof value === 'function') made.addEventListener(key, value);
    else if (value !== false && value != null) made.setAttribute(key, value === true ? '' : value);
  made.append(...children.filter(child => child != null));
  return made;
}

/** Sets an element's text if it differs. */
export function say(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Sets an element's class if it differs. */
export function dress(target, name) {
  if (target.className !== name) target.className = name;
}

/** Announces an event to screen readers by the page's live region. */
export function tell(text) {
  document.getElementById('news').textContent = text;
}

export const known = value => value !== null && value !== undefined;

export function number(value, digits = 6) {
  if (!known(value)) return '';
  if (typeof value !== 'number') return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return value.toLocaleString('en').replaceAll(',', '\u202f');
  return String(Number(value.toPrecision(digits)));
}

/** Formats seconds: 5400 is "1 h 30 min". */
export function duration(seconds) {
  if (!known(seconds)) return '';
  if (seconds < 1) return '< 1 s';
  const parts = [[Math.floor(seconds / 86400), 'd'], [Math.floor(seconds / 3600) % 24, 'h'], [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's']];
  const first = parts.findIndex(([n]) => n > 0);
  return parts.slice(first, first + 2).filter(([n]) => n > 0).map(([n, unit]) => `${n} ${unit}`).join(' ');
}

export const when = seconds => known(seconds) ? new Date(1000 * seconds).toLocaleString([], {dateStyle: 'medium', timeStyle: 'short'}) : '';

export const rate = value => known(value) ? `${number(value, 3)}/s` : '';
