// The page of scripts: what can be run, what runs, and what ran.

import { Refused, enter, get } from './api.js';
import { setClock } from './clock.js';
import { showLive, showLost } from './connection.js';
import { byId, el, say } from './dom.js';
import { pruneDrafts } from './drafts.js';
import { attempt, gate } from './gate.js';
import { follow } from './live.js';
import { beginning, methodPage, nowhere } from './method.js';
import { badge } from './notify.js';
import { countRemembered, showRemembered } from './remembered_count.js';
import { runPage } from './run.js';
import { Runs, showRuns, showScripts } from './scriptlist.js';
import { bindKeys, bindLinks, bindWindow, setAddress } from './shell.js';

const reading = byId('reading');
const known = new Runs();
let listed = { folder: null, scripts: [] };
let current;

start();

async function start() {
  try {
    await enter();
    await load();
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    gate(refused);
    return;
  }
  byId('main').hidden = false;
  await showAddress();
  follow(hear);
  bindKeys(() => current, step);
  pruneDrafts();
  document.documentElement.dataset.ready = 'true';
}

// ---- the list

async function load() {
  const [asks] = await Promise.all([get('/api/asks', { limit: 1 }), loadScripts(), loadRuns(), countRemembered()]);
  setClock(asks.now);
  count(asks.open);
}

let round = 0;
async function loadScripts() {
  const mine = ++round;
  const read = await get('/api/scripts');
  // A slower answer to an older question comes too late.
  if (mine !== round) return;
  listed = read;
  showList();
}

async function loadRuns() {
  await known.load();
  showList();
}

function showList() {
  const found = showScripts(byId('scripts'), listed, byId('search').value, location.pathname);
  byId('nothing').hidden = found > 0 || !byId('search').value;
  byId('nothing').textContent = 'Nothing found.';
  const runs = known.list();
  const running = runs.filter(({ state }) => state === 'running');
  byId('running').hidden = running.length === 0;
  showRuns(byId('under-way'), running, current?.id);
  const past = runs.filter(({ state }) => state !== 'running');
  byId('past').hidden = past.length === 0;
  showRuns(byId('runs'), past, current?.id);
  byId('more').hidden = !known.hasMore;
}

byId('search').addEventListener('input', showList);
byId('more').addEventListener('click', () => attempt(async () => {
  await known.more();
  showList();
}));

function count(open) {
  badge(open);
  document.title = open ? `(${open}) Scripts · Holdpoint` : 'Scripts · Holdpoint';
}

// ---- one method, or one run

async function showAddress(focus = false) {
  const [, kind, first, second] = location.pathname.split('/').map(decodeURIComponent);
  current?.leave?.();
  current = undefined;
  if (kind === 'run') await showRun(first);
  else if (first) showMethod(first, second);
  else put(listed.folder === null ? { element: beginning() } : { element: nowhere(listed) }, false);
  showList();
  if (focus) current?.focus?.();
}

function showMethod(name, methodName) {
  const script = listed.scripts.find((one) => one.name === name);
  const method = script?.methods.find((one) => one.name === methodName);
  if (!method) return put({ element: el('p', { class: 'nothing' }, 'There is no such method now: the file has changed, or is gone.') }, true);
  return put(methodPage(script, method, {
    begun: (id) => go(`/run/${id}`),
    runs: () => known.list().filter((run) => run.tool === method.tool),
    workspaces: listed.workspaces,
  }), true);
}

async function showRun(id) {
  const page = runPage(id, { again: (run) => go(`/scripts/${encodeURIComponent(run.script)}/${encodeURIComponent(run.method)}`) });
  // What happens while it is read is read after it.
  current = page;
  try {
    await page.refresh();
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    if (refused.needsKey) return gate(refused);
    return put({ element: el('p', { class: 'nothing' }, refused.message) }, true);
  }
  return current === page && put(page, true);
}

function put(page, chosen) {
  current = page;
  document.body.dataset.reading = String(chosen);
  reading.replaceChildren(page.element);
  reading.scrollTop = 0;
}

function go(address, replace = false) {
  setAddress(address, replace);
  return showAddress(true);
}

function step(by) {
  const links = [...document.querySelectorAll('.listing a.entry')];
  const at = links.findIndex((link) => link.hasAttribute('aria-current'));
  const next = links[at < 0 ? 0 : at + by];
  if (!next) return;
  go(next.pathname, true);
  next.scrollIntoView({ block: 'nearest' });
}

// ---- what happens elsewhere

function hear(type, data) {
  const heard = {
    open: connected, lost: showLost, reset: catchUp, progress: ({ open }) => count(open), remembered: ({ count: all }) => showRemembered(all),
    run: ran, scripts: filesChanged, elicitation: ({ call }) => asked(call), settled: settledAsk, withdrawn: settledAsk,
  };
  heard[type]?.(data);
}

function connected() {
  showLive();
  catchUp();
}

async function catchUp() {
  await attempt(load);
  await attempt(async () => current?.refresh?.());
}

function ran({ id, ended }) {
  if (current?.id === id) attempt(() => current.refresh());
  if (!known.has(id) || ended) attempt(loadRuns);
}

function asked(call) {
  if (call && current?.id === call) attempt(() => current.refresh());
}

/** The news of an ask's end names the ask alone. */
function settledAsk({ id }) {
  if (current?.asks?.().includes(id)) attempt(() => current.refresh());
}

async function filesChanged() {
  await attempt(loadScripts);
  say('The scripts have changed.');
  // A form that somebody fills in is left alone: what it sends is checked anyway.
  const typing = reading.contains(document.activeElement) && document.activeElement !== reading;
  if (!current?.id && !typing) showAddress();
}

// ---- navigation

bindLinks((path) => {
  if (!/^\/(scripts|run)(\/|$)/.test(path)) return false;
  go(path);
  return true;
});

addEventListener('popstate', () => showAddress());
bindWindow(catchUp);
