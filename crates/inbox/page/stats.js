// The page of statistics: how many asks, how they ended, how fast people were.

import { Refused, enter, get } from './api.js';
import { bars, lines, stack } from './charts.js';
import { long } from './clock.js';
import { button, byId, el, say } from './dom.js';
import { gate } from './gate.js';
import { badge } from './notify.js';
import { countRemembered } from './remembered_count.js';
import { bindWindow } from './shell.js';

// More than these are too many bars to compare, or too many days to tell apart.
const MOST_BARS = 12;
const MOST_DAYS = 60;
const NAMES = ['days', 'words'];

bindWindow(() => {});
start();

async function start() {
  try {
    await enter();
    const [asks] = await Promise.all([get('/api/asks', { limit: 1 }), countRemembered()]);
    badge(asks.open);
    document.title = 'Statistics · Holdpoint';
  } catch (refused) {
    gate(refused);
    return;
  }
  fromAddress();
  await load();
  byId('days').addEventListener('change', toAddress);
  let typed;
  byId('words').addEventListener('input', () => {
    clearTimeout(typed);
    typed = setTimeout(toAddress, 150);
  });
  byId('wanted').addEventListener('submit', (event) => event.preventDefault());
  addEventListener('popstate', () => { fromAddress(); load(); });
  document.documentElement.dataset.ready = 'true';
}

/** What is wanted is in the address. */
function fromAddress() {
  const given = new URLSearchParams(location.search);
  byId('days').value = given.get('days') ?? '30';
  if (byId('days').selectedIndex < 0) byId('days').value = '30';
  byId('words').value = given.get('words') ?? '';
}

function toAddress() {
  const given = NAMES.map((name) => [name, byId(name).value.trim()]);
  const parts = given.filter(([name, value]) => (name === 'days' ? value !== '30' : value));
  const address = parts.length ? `/stats?${new URLSearchParams(parts)}` : '/stats';
  if (location.pathname + location.search !== address) history.replaceState(null, '', address);
  return load();
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
  byId('counts').replaceChildren(...(stats.asks > 0 ? [figures(stats), charts(stats)] : [nothing()]));
}

function nothing() {
  const narrowed = byId('words').value.trim() !== '' || byId('days').value !== '';
  const all = button('Count all asks', { class: 'secondary', id: 'count-all' });
  all.addEventListener('click', () => {
    byId('words').value = byId('days').value = '';
    toAddress();
  });
  return el('div', { class: 'nothing' },
    el('p', { class: 'headline' }, narrowed ? 'No asks in this time with these words.' : 'Nothing has been asked yet.'),
    narrowed ? all : el('p', {}, 'What agents ask, and how fast it is decided, is counted here.'));
}

function charts(stats) {
  const days = stats.byDay.slice(-MOST_DAYS);
  const answered = days.filter(({ response }) => response);
  const words = stats.byVerdict.map(apart);
  const asks = (day, name) => stats.verdictsByDay[day]?.[name] ?? 0;
  const latest = stats.verdictsOfLatest;
  const ofLatest = latest ? ` (of the latest ${latest.toLocaleString()})` : '';
  return el('div', { class: 'charts' }, [
    answered.length > 0 && lines('Time to an answer, by day', {
      names: days.map(({ day }) => day),
      series: [
        { name: 'half within', tone: 'go', values: days.map(({ response }) => response?.p50Ms) },
        { name: 'nine of ten within', tone: 'open', values: days.map(({ response }) => response?.p90Ms) },
      ],
      shown: long,
    }),
    stack(`Asks by day, and how they ended${ofLatest}`, {
      names: days.map(({ day }) => day),
      series: words.map(({ name, tone }) => ({ name, tone, values: days.map(({ day }) => asks(day, name)) })),
    }),
    bars(`By what was decided${ofLatest}`, words.map(({ name, tone, asks }) => ({ name, tone, value: asks }))),
    bars('By tool', stats.byTool.slice(0, MOST_BARS).map(({ server, name, asks, response }) => ({
      name: [server, name ?? 'no tool'].filter(Boolean).join(' · '), tone: 'go', value: asks, more: response ? long(response.p50Ms) : '–',
    })), 'half answered within'),
    bars('By agent', stats.byClient.slice(0, MOST_BARS).map(({ name, asks, response }) => ({ name: name ?? 'none', tone: 'go', value: asks, more: response ? long(response.p50Ms) : '–' })), 'half answered within'),
    bars('By where it was answered', stats.byChannel.map(({ name, asks }) => ({ name, tone: 'go', value: asks }))),
    stack('By hour of the day', {
      names: stats.byHour.map((_, hour) => `${hour}:00`),
      series: [{ name: 'asks', tone: 'go', values: stats.byHour }],
    }),
  ].filter(Boolean));
}

/** Two of one tone side by side are told apart by their shade. */
function apart(word, at, words) {
  const again = words.findIndex(({ tone }) => tone === word.tone) < at;
  return again ? { ...word, tone: `${word.tone ?? 'none'} again` } : word;
}

function figures(stats) {
  const { response } = stats;
  const entries = [
    ['asks', stats.asks],
    ['half answered within', response ? long(response.p50Ms) : '–'],
    ['nine of ten within', response ? long(response.p90Ms) : '–'],
    ['answered, of those that ended', part(stats.successRate)],
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
