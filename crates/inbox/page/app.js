// The page: which ask is open, what the list shows, and what happens elsewhere.

import { enter } from './api.js';
import { openAsk } from './ask.js';
import { EndedAsks, OpenAsks } from './ask_store.js';
import { showLive, showLost } from './connection.js';
import { endedAsk } from './decision.js';
import { byId, el, say } from './dom.js';
import { draftOf, dropDraft, pruneDrafts } from './drafts.js';
import { emptyList, emptyPane } from './empty.js';
import { showFilters, whenFiltered } from './filters.js';
import { firstSteps, loadFirstSteps } from './first_steps.js';
import { forget, fullAsk } from './full_asks.js';
import { attempt, gate } from './gate.js';
import { endedGroups, gist, openGroups, showAsks } from './ask_list.js';
import { waitForPause } from './keys.js';
import { addressOf, isSame, readAddress, setAddress } from './list_address.js';
import { keepPlace, keptPlace } from './list_place.js';
import { follow } from './live.js';
import { badge, notify, offerNotifications } from './notify.js';
import { loadOdd, showOdd } from './odd.js';
import { countRemembered, showRemembered } from './remembered_count.js';
import { bindPicked, boxOf, keepPicked, pick, pickAgain, pickNone, pickedIds, whenPicked } from './selection.js';
import { bindKeys, bindLinks, bindWindow } from './shell.js';
import { isSnoozed, whenWoken } from './snooze.js';
import { alike, decideTogether } from './decide_together.js';
import { counted } from './texts.js';

// How often rows move to what is due soon, and what is not loaded is looked for.
const REGROUP_MS = 15_000;
const RELOAD_MS = 60_000;

const open = new OpenAsks();
const ended = new EndedAsks();
const wide = matchMedia('(min-width: 56rem)');
const reading = byId('reading');
const main = byId('main');

// What the address says: the view, and what is wanted of its list.
let at = readAddress();
let current;
let snoozedToo = false;
// What looks odd, while that alone is shown of the history.
let odd;
let listening;

start();

async function start() {
  try {
    await enter();
    at = readAddress();
    shownList().wanted = at.wanted;
    const { size } = keptPlace(listAddress());
    await Promise.all([
      at.view === 'open' ? open.load(size) : open.load(),
      at.view === 'history' && loadEnded(size),
      countRemembered(),
    ]);
    if (open.count === 0) await loadFirstSteps();
  } catch (refused) {
    gate(refused);
    return;
  }
  main.hidden = false;
  bindPicked(openTogether);
  pickAgain(keptPlace(listAddress()).picked, open.list());
  whenPicked(rememberPlace);
  showList();
  await showAddress();
  restorePlace();
  listening = follow(hear);
  bindKeys(() => current, step, () => { if (at.view === 'open') pickCurrent(); });
  whenWoken(() => { showList(); say('A snoozed ask is back.'); });
  offerNotifications();
  pruneDrafts();
  setInterval(() => { if (!document.hidden && at.view === 'open') showList(); }, REGROUP_MS);
  setInterval(() => { if (!document.hidden && at.view === 'open' && open.hasMore) loadList(); }, RELOAD_MS);
  setInterval(() => { if (!document.hidden) attempt(countRemembered); }, RELOAD_MS);
  document.documentElement.dataset.ready = 'true';
  performance.mark('ready');
}

// ---- the list

const shownList = () => (at.view === 'history' ? ended : open);
const listAddress = () => addressOf({ ...at, ask: undefined });

function visibleAsks() {
  if (at.view === 'history') return ended.list();
  return open.list().filter((row) => snoozedToo || !isSnoozed(row.id));
}

function showList() {
  const rows = visibleAsks();
  showEntries();
  byId('listing-title').textContent = at.view === 'history' ? 'History' : 'Inbox';
  byId('odd').hidden = at.view !== 'history';
  byId('odd').setAttribute('aria-pressed', String(odd !== undefined));
  byId('odd').textContent = odd ? 'Show all of the history' : 'Show only what looks odd';
  for (const [id, mine] of [['nav-open', 'open'], ['nav-history', 'history']]) {
    if (at.view === mine) byId(id).setAttribute('aria-current', 'page');
    else byId(id).removeAttribute('aria-current');
  }
  showFilters(at, open.filters);
  const asleep = at.view === 'open' ? open.list().filter((row) => isSnoozed(row.id)).length : 0;
  byId('snoozed').hidden = asleep === 0;
  byId('snoozed').textContent = `${snoozedToo ? 'Hide' : 'Show'} ${asleep} snoozed`;
  byId('more').hidden = odd ? !odd.next : !shownList().hasMore;
  emptyList(byId('nothing'), { count: (odd?.events ?? rows).length, view: at.view, wanted: at.wanted, odd: Boolean(odd), asleep, clear: () => want({}) });
  badge(open.count);
}

function showEntries() {
  const place = byId('asks');
  const chosen = current?.ask.id;
  if (odd) showOdd(place, odd.events, chosen);
  else if (at.view === 'history') showAsks(place, endedGroups(visibleAsks()), chosen);
  else showAsks(place, openGroups(visibleAsks(), open.groups, open.hasMore), chosen, boxOf);
  keepPicked((id) => open.get(id) !== undefined);
}

async function loadEnded(size) {
  await ended.load(size);
  odd = at.odd ? await loadOdd() : undefined;
}

async function loadList() {
  await attempt(() => (at.view === 'history' ? loadEnded() : open.load()));
  showList();
}

let more;
async function loadMore() {
  more ??= attempt(() => (odd ? moreOdd() : shownList().more())).then(() => {
    more = undefined;
    showList();
    // Where the end is near still, nothing has changed that would be told: it is looked at anew.
    nearEnd.unobserve(byId('more'));
    nearEnd.observe(byId('more'));
  });
  await more;
}

async function moreOdd() {
  const { events, next } = await loadOdd(odd.next);
  if (odd) odd = { events: [...odd.events, ...events], next };
}

byId('more').addEventListener('click', loadMore);
const nearEnd = new IntersectionObserver((seen) => { if (seen.at(-1).isIntersecting) loadMore(); }, { rootMargin: '600px' });
nearEnd.observe(byId('more'));

byId('odd').addEventListener('click', () => turnTo({ ...at, odd: !at.odd, wanted: {} }));

byId('snoozed').addEventListener('click', () => {
  snoozedToo = !snoozedToo;
  showList();
});

/** Shows another selection of the list. What is typed letter by letter is one step of the history. */
function want(wanted, { typing = false } = {}) {
  const replace = typing && Boolean(at.wanted.q) && Boolean(wanted.q);
  return turnTo({ ...at, wanted, odd: false, ask: wide.matches ? at.ask : undefined }, replace);
}

whenFiltered(want);

// ---- where the list was

const scroller = () => (wide.matches ? document.querySelector('.listing') : main);
const isReading = () => document.body.dataset.reading === 'true';
let left = 0;

/** Remembers how far down the list is, and what is picked in it. */
function rememberPlace() {
  // A list that is out of sight is at its top.
  if (byId('asks').getClientRects().length) left = scroller().scrollTop;
  keepPlace(listAddress(), { top: left, size: shownList().size, picked: pickedIds() });
}

function restorePlace() {
  if (byId('asks').getClientRects().length) scroller().scrollTop = keptPlace(listAddress()).top;
}

for (const type of ['pagehide', 'visibilitychange']) addEventListener(type, () => { if (!main.hidden) rememberPlace(); });

// ---- the ask

/** Shows what the address says. */
async function showAddress(focus = false) {
  if (at.ask) return show(at.ask, focus);
  const first = at.view === 'open' && wide.matches && visibleAsks()[0];
  if (first) return show(first.id);
  return put(undefined);
}

/** Goes to an ask, or with none back to the list. */
function go(id, replace = false) {
  rememberPlace();
  at = { ...at, ask: id };
  setAddress(addressOf(at), replace);
  return showAddress(Boolean(id));
}

let showing = 0;
async function show(id, focus = false) {
  const mine = ++showing;
  let ask;
  try {
    ask = await fullAsk(id);
  } catch (refused) {
    if (mine !== showing) return undefined;
    if (refused.needsKey) return gate(refused);
    current = undefined;
    reading.replaceChildren(el('p', { class: 'nothing' }, refused.message));
    setReading(Boolean(at.ask));
    return undefined;
  }
  // Somebody went on meanwhile.
  if (mine !== showing) return undefined;
  put(ask);
  if (focus) current.focus();
  return undefined;
}

/** Shows an ask, open or ended. */
function put(ask, about = {}) {
  showing += 1;
  setReading(Boolean(ask && at.ask));
  document.body.dataset.kind = ask?.kind ?? '';
  if (!ask) {
    current = undefined;
    reading.replaceChildren(emptyPane({ view: at.view, open: open.count, steps: firstSteps() }));
  } else {
    current = ask.decision ? endedAsk(ask, about) : openAsk(ask, actsOn(ask));
    reading.replaceChildren(current.element);
    reading.scrollTop = 0;
    if (!wide.matches) main.scrollTop = 0;
  }
  showEntries();
}

function setReading(is) {
  const was = isReading();
  document.body.dataset.reading = String(is);
  if (was && !is) restorePlace();
}

function actsOn(ask) {
  const same = alike(ask, open.list());
  return {
    sending,
    ended: (decision, mine) => settled(ask.id, decision, mine),
    hidden: () => { showList(); leadOn(); },
    together: same.length > 0 && {
      words: `${counted(same.length - 1, 'more ask')} of the same server, client and tool, with the same form.`,
      open: () => openTogether(same.map(({ id }) => id)),
    },
  };
}

/** Opens the window in which these are decided, each of them read whole first. */
const openTogether = (ids) => attempt(async () => {
  const asks = await Promise.all(ids.map(fullAsk));
  const still = asks.filter((ask) => !ask.decision);
  if (still.length) decideTogether(still, { sending, ended: settled });
  else say('These have been decided elsewhere.');
});

function pickCurrent() {
  const focused = document.activeElement?.closest?.('#asks li')?.row;
  const row = focused ?? open.get(current?.ask.id);
  if (row) pick(row);
}

/** Goes to the next ask after this one left the list. */
function leadOn() {
  const next = visibleAsks()[0];
  if (next && wide.matches) go(next.id, true);
  else go(undefined, true);
}

function step(by) {
  const rows = visibleAsks();
  const place = rows.findIndex((row) => row.id === (at.ask ?? current?.ask.id));
  const next = rows[place < 0 ? 0 : place + by];
  if (!next) return;
  go(next.id, true);
  document.querySelector(`#asks li[data-id="${CSS.escape(next.id)}"]`)?.scrollIntoView({ block: 'nearest' });
  if (by > 0 && rows.length - place < 10 && shownList().hasMore) loadMore();
}

// ---- what happens elsewhere

function hear(type, data) {
  const heard = { open: connected, lost: showLost, elicitation: arrived, settled: hasEnded, withdrawn: hasEnded, progress, remembered: ({ count }) => showRemembered(count), reset: catchUp };
  heard[type]?.(data);
}

function connected() {
  showLive();
  // Whatever happened while the connection was lost.
  catchUp();
}

async function catchUp() {
  forget();
  await attempt(() => Promise.all([open.load(), countRemembered()]));
  if (at.view === 'open') showList();
  badge(open.count);
  if (current && !current.ask.decision) await refresh(current.ask.id);
}

/** Reads the ask that is shown anew: its deadline, whether its agent is there, whether it has ended. */
async function refresh(id) {
  const ask = await fullAsk(id).catch(() => undefined);
  if (!ask || current?.ask.id !== id || current.ask.decision) return;
  if (ask.decision) hasEnded(ask);
  else current.update(ask);
}

function arrived({ call, ...row }) {
  forget(row.id);
  const isNew = open.put(row);
  if (current?.ask.id === row.id && !current.ask.decision) refresh(row.id);
  if (at.view === 'open') {
    showList();
    if (at.wanted.q) findAgain();
  }
  if (isNew) {
    say(`New ask: ${gist(row)}`);
    if (listening?.tab) notify(row, (id) => go(id));
    if (!current && wide.matches && at.view === 'open' && !at.ask) showAddress();
  }
}

let finding;
function findAgain() {
  clearTimeout(finding);
  finding = setTimeout(loadList, 500);
}

function hasEnded({ id, decision }) {
  forget(id);
  if (underWay.has(id)) underWay.set(id, decision);
  else settled(id, decision, false);
}

// The event of an answer can arrive before the response to whoever sent it: it waits for that.
const underWay = new Map();

function sending(ids) {
  ids.forEach((id) => underWay.set(id, undefined));
  return () => ids.forEach((id) => {
    const heard = underWay.get(id);
    underWay.delete(id);
    if (heard && (open.get(id) || (current?.ask.id === id && !current.ask.decision))) settled(id, heard, false);
  });
}

function progress({ open: count }) {
  open.count = count;
  badge(count);
}

/** An ask ended, here or elsewhere. */
function settled(id, decision, mine) {
  forget(id);
  const known = open.drop(id);
  const here = current?.ask.id === id ? current.ask : undefined;
  if (here && !here.decision) {
    const first = visibleAsks()[0];
    const next = first && { label: 'Next ask', go: () => go(first.id, true) };
    if (mine) {
      put({ ...here, decision }, { next });
      current.leadOn();
    } else {
      endElsewhere(here, decision, next);
    }
    say(decision.words);
  }
  dropDraft(id);
  if (known && at.view === 'open') showList();
}

/**
 * The ask that is shown ended, and not by what the person did here: the focus goes to nothing that acts,
 * and keys that were on their way to it mean nothing.
 */
function endElsewhere(ask, decision, next) {
  const note = decision.channel ? 'This ask was answered elsewhere: there is nothing left to do here.' : undefined;
  const focus = document.activeElement;
  const inPane = reading.contains(focus);
  if (inPane || focus === document.body || focus?.closest('dialog')) waitForPause();
  if (current.inUse()) {
    current = current.end(decision, { note, next });
  } else {
    current.leave(decision);
    put({ ...ask, decision }, { lost: draftOf(ask), note, next });
    if (inPane) current.focus();
  }
}

// ---- navigation

bindLinks((path) => {
  const ask = path.match(/^\/ask\/([^/]+)$/)?.[1];
  if (ask) go(decodeURIComponent(ask));
  else if (path === '/' || path === '/history') turnTo({ view: path === '/history' ? 'history' : 'open', wanted: {}, odd: false });
  else return false;
  return true;
});

/** Turns to another list, or to another part of this one. */
async function turnTo(next, replace = false) {
  rememberPlace();
  setAddress(addressOf(next), replace);
  await followAddress();
}

async function followAddress() {
  const before = at;
  at = readAddress();
  if (!isSame(before, at)) {
    if (before.view !== at.view) pickNone();
    shownList().wanted = at.wanted;
    await loadList();
  }
  await showAddress();
}

addEventListener('popstate', followAddress);
bindWindow(catchUp);
