// The page of statistics: how many asks, how they ended, how fast people were.

import { Refused, enter, get } from './api.js';
import { long } from './clock.js';
import { byId, el, say } from './dom.js';
import { gate } from './gate.js';

const SVG = 'http://www.w3.org/2000/svg';

start();

async function start() {
  try {
    await enter();
  } catch (refused) {
    gate(refused);
    return;
  }
  await load();
  byId('days').addEventListener('change', load);
  let typed;
  byId('words').addEventListener('input', () => {
    clearTimeout(typed);
    typed = setTimeout(load, 150);
  });
  byId('wanted').addEventListener('submit', (event) => event.preventDefault());
  document.documentElement.dataset.ready = 'true';
}

let latest = 0;
async function load() {
  const mine = ++latest;
  try {
    const stats = await get('/api/stats', { days: byId('days').value, q: byId('words').value.trim() });
    // A slower answer to an older question comes too late.
    if (mine !== latest) return;
    byId('main').hidden = false;
    show(stats);
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    if (refused.needsKey || byId('main').hidden) gate(refused);
    else say(refused.message);
  }
}

function show(stats) {
  const days = stats.byDay.slice(-60);
  byId('counts').replaceChildren(
    figures(stats),
    stats.asks > 0 && el('div', { class: 'charts' },
      bars('By outcome', stats.byOutcome),
      bars('By tool', stats.byTool),
      bars('By channel', stats.byChannel),
      columns('By hour of the day', stats.byHour.map((asks, hour) => [`${hour}:00`, asks])),
      columns('By day', days.map(({ day, asks }) => [day, asks])),
    ) || '',
  );
  say(`${stats.asks} asks`);
}

function figures(stats) {
  const { response } = stats;
  const entries = [
    ['asks', stats.asks],
    ['half answered within', response ? long(response.p50Ms) : '–'],
    ['nine of ten within', response ? long(response.p90Ms) : '–'],
    ['accepted, of those that ended', part(stats.successRate)],
    ['timed out', `${stats.timedOut} (${part(stats.timedOutRate)})`],
    ['faster than a person can read', stats.fast],
  ];
  return el('dl', { class: 'figures' }, entries.map(([name, value]) =>
    el('div', {}, el('dt', {}, name), el('dd', {}, String(value)))));
}

/** A rate as people read it. */
function part(rate) {
  return rate == null ? '–' : `${Math.round(rate * 100)} %`;
}

/** One bar a row, most first. */
function bars(title, counts) {
  const most = Math.max(1, ...counts.map(({ asks }) => asks));
  return el('table', {}, el('caption', {}, title), el('tbody', {}, counts.map(({ server, name, asks }) =>
    el('tr', {},
      el('th', { scope: 'row' }, [server, name ?? 'none'].filter(Boolean).join(' · ')),
      el('td', {}, chart(100, 10, [[0, 0, (100 * asks) / most, 10]])),
      el('td', {}, String(asks))))));
}

/** One column a value, with the same as a table for those who cannot see it. */
function columns(title, values) {
  const most = Math.max(1, ...values.map(([, asks]) => asks));
  const rects = values.map(([, asks], at) => {
    const height = (100 * asks) / most;
    return [at + 0.1, 100 - height, 0.8, height];
  });
  return el('figure', {},
    el('figcaption', {}, title),
    chart(values.length, 100, rects),
    el('div', { class: 'ends', 'aria-hidden': 'true' }, el('span', {}, values[0]?.[0] ?? ''), el('span', {}, `most: ${most}`), el('span', {}, values.at(-1)?.[0] ?? '')),
    el('details', {}, el('summary', {}, 'As a table'), el('table', {}, el('tbody', {}, values.map(([name, asks]) =>
      el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, String(asks))))))));
}

/** Rectangles in a box of this size. The numbers stand beside it, so it says nothing by itself. */
function chart(width, height, rects) {
  const svg = document.createElementNS(SVG, 'svg');
  const set = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  set(svg, { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  svg.append(...rects.map(([x, y, w, h]) =>
    set(document.createElementNS(SVG, 'rect'), { x, y, width: w, height: h })));
  return svg;
}
