// The page: which ask is open, what the list shows, and what happens elsewhere.

import { enter, get } from './api.js';
import { openAsk } from './ask.js';
import { EndedAsks, OpenAsks } from './ask_store.js';
import { showLive, showLost } from './connection.js';
import { endedAsk } from './decision.js';
import { byId, el, say } from './dom.js';
import { draftOf, dropDraft, pruneDrafts } from './drafts.js';
import { attempt, gate } from './gate.js';
import { gist, showAsks } from './ask_list.js';
import { waitForPause } from './keys.js';
import { follow } from './live.js';
import { badge, notify, offerNotifications } from './notify.js';
import { loadOdd, showOdd } from './odd.js';
import { bindKeys, bindLinks, bindWindow, setAddress } from './shell.js';
import { isSnoozed, whenWoken } from './snooze.js';
import { alike, decideTogether } from './decide_together.js';
import { counted } from './texts.js';

const open = new OpenAsks();
const ended = new EndedAsks();
const wide = matchMedia('(min-width: 56rem)');
const reading = byId('reading');

let view = 'open';
let current;
let snoozedToo = false;
// What looks odd, while that alone is shown of the history.
let odd;
let listening;

start();

async function start() {
  try {
    await enter();
    view = location.pathname === '/history' ? 'history' : 'open';
    await Promise.all([open.load(), view === 'history' && ended.load()]);
  } catch (refused) {
    gate(refused);
    return;
  }
  byId('main').hidden = false;
  showList();
  await showAddress();
  listening = follow(hear);
  bindKeys(() => current, step);
  whenWoken(() => { showList(); say('A snoozed ask is back.'); });
  offerNotifications();
  pruneDrafts();
  document.documentElement.dataset.ready = 'true';
}

// ---- the list

const shownList = () => (view === 'history' ? ended : open);

function visibleAsks() {
  if (view === 'history') return ended.list();
  return open.list().filter((ask) => snoozedToo || !isSnoozed(ask.id));
}

function showList() {
  const asks = visibleAsks();
  const list = shownList();
  showEntries();
  byId('listing-title').textContent = view === 'history' ? 'History' : 'Open asks';
  byId('odd').hidden = view !== 'history';
  byId('odd').setAttribute('aria-pressed', String(odd !== undefined));
  byId('odd').textContent = odd ? 'Show all of the history' : 'Show only what looks odd';
  for (const [id, mine] of [['nav-open', 'open'], ['nav-history', 'history']]) {
    if (view === mine) byId(id).setAttribute('aria-current', 'page');
    else byId(id).removeAttribute('aria-current');
  }
  const asleep = view === 'open' ? open.list().filter((ask) => isSnoozed(ask.id)).length : 0;
  byId('snoozed').hidden = asleep === 0;
  byId('snoozed').textContent = `${snoozedToo ? 'Hide' : 'Show'} ${asleep} snoozed`;
  byId('more').hidden = odd ? !odd.next : !list.hasMore;
  byId('nothing').hidden = (odd?.events ?? asks).length > 0;
  byId('nothing').textContent = odd ? 'Nothing looks odd.' : nothing(list.query);
  badge(open.count);
}

function showEntries() {
  if (odd) showOdd(byId('asks'), odd.events, current?.ask.id);
  else showAsks(byId('asks'), visibleAsks(), current?.ask.id);
}

function nothing(query) {
  if (query) return 'Nothing found.';
  return view === 'history' ? 'Nothing has been decided yet.' : 'Nothing is waiting for you.';
}

async function loadList() {
  await attempt(() => shownList().load());
  showList();
}

let more;
async function loadMore() {
  more ??= attempt(() => (odd ? moreOdd() : shownList().more())).then(() => {
    more = undefined;
    showList();
  });
  await more;
}

async function moreOdd() {
  const { events, next } = await loadOdd(odd.next);
  if (odd) odd = { events: [...odd.events, ...events], next };
}

byId('more').addEventListener('click', loadMore);
new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) loadMore(); }, { rootMargin: '600px' }).observe(byId('more'));

byId('odd').addEventListener('click', () => attempt(async () => {
  odd = odd ? undefined : await loadOdd();
  showList();
}));

byId('snoozed').addEventListener('click', () => {
  snoozedToo = !snoozedToo;
  showList();
});

let typed;
byId('search').addEventListener('input', (event) => {
  clearTimeout(typed);
  typed = setTimeout(() => {
    odd = undefined;
    shownList().query = event.target.value;
    loadList();
  }, 150);
});

// ---- the ask

/** Shows what the address says. */
async function showAddress() {
  const id = location.pathname.match(/^\/ask\/([^/]+)$/)?.[1];
  if (id) return show(id);
  const first = view === 'open' && wide.matches && visibleAsks()[0];
  if (first) return put(first);
  return put(undefined);
}

/** Goes to an ask, or with none back to the list. */
function go(id, replace = false) {
  const address = id ? `/ask/${id}` : view === 'history' ? '/history' : '/';
  setAddress(address, replace);
  return id ? show(id, true) : showAddress();
}

async function show(id, focus = false) {
  let ask = open.get(id) ?? ended.get(id);
  try {
    ask ??= await get(`/api/asks/${encodeURIComponent(id)}`);
  } catch (refused) {
    if (refused.needsKey) return gate(refused);
    current = undefined;
    reading.replaceChildren(el('p', { class: 'nothing' }, refused.message));
    document.body.dataset.reading = 'true';
    return undefined;
  }
  put(ask);
  if (focus) current.focus();
  return undefined;
}

/** Shows an ask, open or ended. */
function put(ask, about = {}) {
  document.body.dataset.reading = String(Boolean(ask && location.pathname.startsWith('/ask/')));
  if (!ask) {
    current = undefined;
    reading.replaceChildren(el('p', { class: 'nothing' }, open.count ? 'Choose an ask.' : 'Nothing is waiting for you.'));
  } else {
    current = ask.decision ? endedAsk(ask, about) : openAsk(ask, actsOn(ask));
    reading.replaceChildren(current.element);
    reading.scrollTop = byId('main').scrollTop = 0;
  }
  showEntries();
}

function actsOn(ask) {
  const same = alike(ask, open.list());
  return {
    sending,
    ended: (decision, mine) => settled(ask.id, decision, mine),
    hidden: () => { showList(); leadOn(ask); },
    together: same.length > 0 && {
      words: `${counted(same.length - 1, 'more ask')} of the same server, client and tool, with the same form.`,
      open: () => decideTogether(same, { sending, ended: settled }),
    },
  };
}

/** Goes to the next ask after this one left the list. */
function leadOn() {
  const next = visibleAsks()[0];
  if (next && wide.matches) go(next.id, true);
  else go(undefined, true);
}

function step(by) {
  const asks = visibleAsks();
  const at = asks.findIndex((ask) => ask.id === current?.ask.id);
  const next = asks[at < 0 ? 0 : at + by];
  if (!next) return;
  go(next.id, true);
  document.querySelector(`#asks li[data-id="${CSS.escape(next.id)}"]`)?.scrollIntoView({ block: 'nearest' });
  if (by > 0 && asks.length - at < 10 && shownList().hasMore) loadMore();
}

// ---- what happens elsewhere

function hear(type, data) {
  const heard = { open: connected, lost: showLost, elicitation: arrived, settled: hasEnded, withdrawn: hasEnded, progress, reset: catchUp };
  heard[type]?.(data);
}

function connected() {
  showLive();
  // Whatever happened while the connection was lost.
  catchUp();
}

async function catchUp() {
  await attempt(() => open.load());
  if (view === 'open') showList();
  badge(open.count);
  if (current && !current.ask.decision && !open.get(current.ask.id)) {
    const ask = await get(`/api/asks/${current.ask.id}`).catch(() => undefined);
    if (ask?.decision) settled(ask.id, ask.decision, false);
  }
}

function arrived(ask) {
  if (ask.decision) return hasEnded(ask);
  const isNew = open.put(ask);
  if (current?.ask.id === ask.id && !current.ask.decision) current.update(ask);
  if (view === 'open') showList();
  if (isNew) {
    say(`New ask: ${gist(ask)}`);
    if (listening?.tab) notify(ask, (id) => go(id));
    if (!current && wide.matches && location.pathname === '/') put(ask);
  }
  return undefined;
}

function hasEnded({ id, decision }) {
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
  if (known && view === 'open') showList();
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
  if (ask) go(ask);
  else if (path === '/' || path === '/history') turnTo(path === '/history' ? 'history' : 'open');
  else return false;
  return true;
});

async function turnTo(next) {
  view = next;
  odd = undefined;
  byId('search').value = shownList().query = '';
  history.pushState(null, '', view === 'history' ? '/history' : '/');
  await loadList();
  await showAddress();
}

addEventListener('popstate', async () => {
  const at = location.pathname === '/history' ? 'history' : location.pathname === '/' ? 'open' : view;
  if (at !== view) {
    view = at;
    odd = undefined;
    await loadList();
  }
  await showAddress();
});

bindWindow(catchUp);
