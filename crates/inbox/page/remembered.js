// The page of what is remembered: permissions that people gave with a yes, to be searched and revoked.

import { Refused, enter, get, post } from './api.js';
import { ago, keepTime, moment, now } from './clock.js';
import { showLive, showLost } from './connection.js';
import { button, byId, el, say } from './dom.js';
import { attempt, gate } from './gate.js';
import { follow } from './live.js';
import { badge } from './notify.js';
import { showRemembered } from './remembered_count.js';
import { withCode } from './remembering.js';
import { bindWindow } from './shell.js';
import { SETTLE_MS, setReady, whenPressed } from './press.js';

const TYPING_MS = 150;
// How often what has ended by itself is taken from the list.
const LOOK_AGAIN_MS = 15_000;

let rows = [];
let count = 0;

bindWindow(reload);
start();

async function start() {
  byId('search').value = new URLSearchParams(location.search).get('q') ?? '';
  try {
    await enter();
    const [asks] = await Promise.all([get('/api/asks', { limit: 1 }), load()]);
    countOpen(asks.open);
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    gate(refused);
    return;
  }
  byId('main').hidden = false;
  let typed;
  byId('search').addEventListener('input', () => {
    clearTimeout(typed);
    typed = setTimeout(search, TYPING_MS);
  });
  addEventListener('popstate', () => {
    byId('search').value = new URLSearchParams(location.search).get('q') ?? '';
    reload();
  });
  follow(hear);
  setInterval(() => { if (!document.hidden && rows.some(({ until }) => isOver(until))) reload(); }, LOOK_AGAIN_MS);
  document.documentElement.dataset.ready = 'true';
}

function countOpen(open) {
  badge(open);
  document.title = 'Remembered · Holdpoint';
}

const wanted = () => byId('search').value.trim();
const isOver = (until) => until && Date.parse(until) <= now();

/** What is looked for is in the address. */
function search() {
  const q = wanted();
  history.replaceState(null, '', q ? `/remembered?${new URLSearchParams({ q })}` : '/remembered');
  return reload();
}

let latest = 0;
async function load() {
  const mine = ++latest;
  const listed = await get('/api/remembered', { search: wanted() });
  // A slower answer to an older question comes too late.
  if (mine !== latest) return;
  rows = listed.remembered;
  count = listed.count;
  show();
}

function reload() {
  return attempt(load);
}

function show() {
  showRemembered(count);
  const place = byId('permissions');
  const old = new Map([...place.children].map((entry) => [entry.dataset.id, entry]));
  const entries = rows.map((row) => old.get(row.id) ?? entryOf(row));
  const focused = place.contains(document.activeElement) ? document.activeElement : undefined;
  place.replaceChildren(...entries);
  if (focused?.isConnected) focused.focus({ preventScroll: true });
  showNothing();
  keepTime();
}

function showNothing() {
  const place = byId('nothing');
  place.hidden = rows.length > 0;
  byId('search').parentElement.hidden = count === 0;
  if (rows.length) return;
  place.replaceChildren(...(count > 0
    ? [el('p', {}, 'Nothing found.')]
    : [el('p', { class: 'headline' }, 'Nothing is remembered.'),
      el('p', {}, 'When an agent’s client asks whether a command may run or a file be changed, you can have your yes remembered: for a session, some minutes, a workspace or for good. What you gave is listed here, and can be revoked here.'),
      el('p', {}, el('a', { href: '/' }, 'To the inbox'))]));
}

function entryOf(row) {
  const heading = el('h2', { id: `what-${row.id}`, dir: 'auto' }, withCode(row.label));
  const revoke = button('Revoke', { class: 'secondary', 'aria-describedby': `what-${row.id}` });
  // What moves up under a finger is not revoked by the press that was meant for another.
  setReady(revoke, false);
  setTimeout(() => setReady(revoke, true), SETTLE_MS);
  whenPressed(revoke, () => end(row, revoke));
  return el('li', { 'data-id': row.id },
    el('div', { class: 'what' }, heading,
      el('p', { class: 'of' }, 'Given with ', el('a', { href: `/ask/${row.askId}`, dir: 'auto' }, row.title)),
      row.description && el('p', { class: 'hint', dir: 'auto' }, row.description)),
    el('dl', {},
      fact('Who may', row.client ?? 'any client'),
      fact('Where', whereOf(row)),
      fact('Until', row.until ? untilOf(row.until) : 'revoked'),
      fact('Given', [row.givenBy ? `by ${row.givenBy}, ` : '', ago(row.givenAt)])),
    revoke);
}

function fact(name, value) {
  return el('div', {}, el('dt', {}, name), el('dd', {}, value));
}

function whereOf({ workspace, session }) {
  const place = workspace ? el('code', { class: 'path' }, workspace) : 'everywhere';
  return session ? [workspace ? 'one session in ' : 'one session, ', place] : [place];
}

function untilOf(until) {
  const at = new Date(until);
  const today = at.toDateString() === new Date().toDateString();
  const text = today ? moment(until).slice(11, 16) : moment(until);
  return el('time', { datetime: until, title: moment(until) }, text);
}

async function end(row, control) {
  setReady(control, false);
  try {
    await post(`/api/remembered/${row.id}/revoke`, {});
    take(row, `Revoked: ${row.label}`);
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    setReady(control, true);
    say(refused.message);
    reload();
  }
}

/** It is gone: said here, and the focus goes to nothing that revokes another. */
function take(row, words) {
  say(words);
  rows = rows.filter(({ id }) => id !== row.id);
  count = Math.max(0, count - 1);
  show();
  byId('main').focus({ preventScroll: true });
  reload();
}

function hear(type, data) {
  const heard = {
    open: () => { showLive(); reload(); },
    lost: showLost,
    remembered: reload,
    reset: reload,
    progress: ({ open }) => countOpen(open),
  };
  heard[type]?.(data);
}
