// SPDX-License-Identifier: BSD-2-Clause
// The convergence of a search: merit, E1 and edge over the rounds, each in a panel with a logarithmic axis.

import {number} from './dom.js';

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 720, PANEL = 130, LEFT = 76, RIGHT = 12, TOP = 22, BOTTOM = 34;
const PANELS = [['best', 'merit'], ['E1', 'E1'], ['edge', 'edge']];

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Powers of ten around [low, high], at most five. */
function decades(low, high) {
  const from = Math.floor(Math.log10(low)), to = Math.max(Math.ceil(Math.log10(high)), from + 1), step = Math.ceil((to - from) / 4);
  return Array.from({length: Math.floor((to - from) / step) + 1}, (_, k) => from + k * step);
}

function panel(svg, top, points, label, colour, first, last) {
  const bottom = top + PANEL - TOP;
  const x = round => LEFT + (WIDTH - LEFT - RIGHT) * (round - first) / Math.max(1, last - first);
  svg.append(shape('text', {x: LEFT, y: top - 6, 'font-weight': 600}, label));
  svg.append(shape('line', {class: 'axis', x1: LEFT, x2: WIDTH - RIGHT, y1: bottom, y2: bottom}));
  if (!points.length) return;
  const values = points.map(([, value]) => value), ticks = decades(Math.min(...values), Math.max(...values));
  const low = ticks[0], high = Math.max(ticks[ticks.length - 1], Math.log10(Math.max(...values)));
  const y = value => bottom - (bottom - top) * (Math.log10(value) - low) / (high - low);
  for (const tick of ticks) {
    svg.append(shape('line', {class: 'axis', x1: LEFT, x2: WIDTH - RIGHT, y1: y(10 ** tick), y2: y(10 ** tick)}));
    svg.append(shape('text', {x: LEFT - 8, y: y(10 ** tick) + 4, 'text-anchor': 'end'}, `1e${tick}`));
  }
  const line = points.map(([round, value], k) => `${k ? 'L' : 'M'}${x(round).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  svg.append(shape('path', {class: `curve ${colour}`, d: points.length > 1 ? line : `${line}h2`, 'data-points': points.length}));
}

/** Draws the data of /jobs/NAME/search: {columns, rows}. */
export function chart({columns, rows}) {
  const height = PANELS.length * PANEL + TOP + BOTTOM, svg = shape('svg', {viewBox: `0 0 ${WIDTH} ${height}`, role: 'img'});
  const at = name => columns.indexOf(name), rounds = rows.map(row => row[at('round')]);
  const first = rounds[0] ?? 0, last = rounds[rounds.length - 1] ?? 1;
  const ranges = [];
  PANELS.forEach(([column, label], k) => {
    const points = rows.map(row => [row[at('round')], row[at(column)]]).filter(([, value]) => value > 0);
    panel(svg, TOP + k * PANEL, points, label, `c${k}`, first, last);
    if (points.length) ranges.push(`${label} from ${number(points[0][1], 3)} to ${number(points[points.length - 1][1], 3)}`);
  });
  const y = TOP + PANELS.length * PANEL - TOP + 20;
  svg.append(shape('text', {x: LEFT, y}, number(first)), shape('text', {x: WIDTH - RIGHT, y, 'text-anchor': 'end'}, number(last)),
    shape('text', {x: (WIDTH + LEFT) / 2, y, 'text-anchor': 'middle'}, 'rounds'));
  svg.setAttribute('aria-label', `Convergence over rounds ${first} to ${last}: ${ranges.join(', ')}`);
  return svg;
}
