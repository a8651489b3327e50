// Charts, drawn as SVG, each with its numbers as a table behind it.

import { el } from './dom.js';

const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 180;
const WIDTH = 480;
// Room for the labels: at the start of the lines, above and below.
const [START, TOP, BOTTOM] = [52, 10, 22];

/** One bar a row, most first: the row is the table. */
export function bars(title, rows, moreName) {
  if (rows.length === 0) return undefined;
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return el('figure', { class: 'chart bars' }, el('figcaption', {}, title), el('table', {},
    el('thead', { class: moreName ? '' : 'unseen' }, el('tr', {}, el('th', { scope: 'col' }, el('span', { class: 'unseen' }, 'Name')), el('td', {}),
      el('th', { scope: 'col' }, 'asks'), moreName && el('th', { scope: 'col' }, moreName))),
    el('tbody', {}, rows.map(({ name, tone, value, more }) => el('tr', {},
      el('th', { scope: 'row' }, name),
      el('td', { class: 'bar-cell' }, picture(100, 10, [rect(0, 0, (100 * value) / most, 10, tone)], { preserveAspectRatio: 'none' })),
      el('td', { class: 'value' }, value.toLocaleString()),
      moreName && el('td', { class: 'value' }, more))))));
}

/** A line a series over names, with gaps where there is no value. */
export function lines(title, { names, series, shown }) {
  const most = niceTime(Math.max(1, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const x = (at) => START + ((WIDTH - START - 8) * (names.length === 1 ? 0.5 : at / (names.length - 1)));
  const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / most);
  const drawn = series.flatMap(({ values, tone }) => [
    svg('path', { class: `line ${tone}`, d: path(values, x, y) }),
    ...values.map((value, at) => (value === undefined ? undefined : svg('circle', { class: `dot ${tone}`, cx: x(at), cy: y(value), r: names.length > 31 ? 2 : 3 }))).filter(Boolean),
  ]);
  return figure(title, names, series, shown, picture(WIDTH, HEIGHT, [...grid(names, most, shown, y, x), ...drawn]));
}

/** A column a name, of all series on top of each other. */
export function stack(title, { names, series }) {
  const some = series.filter(({ values }) => values.some((value) => value > 0));
  if (some.length === 0) return undefined;
  const sums = names.map((_, at) => some.reduce((sum, { values }) => sum + values[at], 0));
  const most = niceCount(Math.max(1, ...sums));
  const step = (WIDTH - START - 4) / names.length;
  const x = (at) => START + step * (at + 0.5);
  const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / most);
  const width = Math.min(Math.max(step * 0.72, 1), 36);
  const rects = names.flatMap((_, at) => {
    let below = 0;
    return some.filter(({ values }) => values[at] > 0).map(({ values, tone }) => {
      const [from, to] = [below, below + values[at]];
      below = to;
      return rect(x(at) - width / 2, y(to), width, y(from) - y(to), tone);
    });
  });
  return figure(title, names, some, (value) => value.toLocaleString(), picture(WIDTH, HEIGHT, [...grid(names, most, (value) => value.toLocaleString(), y, x), ...rects]));
}

function figure(title, names, series, shown, drawing) {
  return el('figure', { class: 'chart' }, el('figcaption', {}, title),
    series.length > 1 && el('ul', { class: 'legend' }, series.map(({ name, tone }) => el('li', {}, el('span', { class: `swatch ${tone ?? ''}`, 'aria-hidden': 'true' }), name))),
    drawing,
    el('details', {}, el('summary', {}, 'As a table'), el('div', { class: 'scrolls', tabindex: '0', role: 'group', 'aria-label': `${title}, as a table` }, el('table', {},
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, el('span', { class: 'unseen' }, 'When')), series.map(({ name }) => el('th', { scope: 'col' }, name)))),
      el('tbody', {}, names.map((name, at) => el('tr', {}, el('th', { scope: 'row' }, name),
        series.map(({ values }) => el('td', {}, values[at] === undefined ? '–' : shown(values[at]))))))))));
}

/** Lines across with their values, and the first, middle and last name below. */
function grid(names, most, shown, y, x) {
  const across = [0, 0.5, 1].map((part) => part * most).filter((value, at) => at !== 1 || Number.isInteger(value) || most > 10).flatMap((value) => [
    svg('line', { class: 'grid', x1: START, x2: WIDTH, y1: y(value), y2: y(value) }),
    label(START - 6, y(value) + 4, 'end', shown(value)),
  ]);
  const ends = names.length > 2 ? [0, Math.floor((names.length - 1) / 2), names.length - 1] : names.map((_, at) => at);
  const below = ends.map((at, place) => {
    const anchor = ends.length === 1 ? 'middle' : place === 0 ? 'start' : place === ends.length - 1 ? 'end' : 'middle';
    return label(anchor === 'end' ? WIDTH : anchor === 'start' ? START : x(at), HEIGHT - 5, anchor, names[at]);
  });
  return [...across, ...below];
}

function label(x, y, anchor, text) {
  const element = svg('text', { x, y, 'text-anchor': anchor });
  element.textContent = text;
  return element;
}

function path(values, x, y) {
  let pen = 'M';
  return values.map((value, at) => {
    if (value === undefined) {
      pen = 'M';
      return '';
    }
    const part = `${pen}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    pen = 'L';
    return part;
  }).join('');
}

/** The next round number. */
function niceCount(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 6, 8, 10].map((by) => by * unit).find((round) => round >= value);
}

/** The next round time, in ms. */
function niceTime(ms) {
  const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
  const rounds = [second, 2 * second, 10 * second, 30 * second, minute, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 6 * hour, 12 * hour, day, 2 * day, 4 * day, 10 * day, 30 * day];
  return rounds.find((round) => round >= ms) ?? Math.ceil(ms / day / 30) * 30 * day;
}

const rect = (x, y, width, height, tone) => svg('rect', { class: tone ?? 'none', x, y, width, height });

function svg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** A drawing. Its numbers stand beside it, or in the table behind it, so it says nothing by itself. */
function picture(width, height, parts, more = {}) {
  const element = svg('svg', { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true', ...more });
  element.append(...parts);
  return element;
}
