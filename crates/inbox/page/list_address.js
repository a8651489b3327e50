// What the list shows, in the address: so it can be shared, and back and forward go through it.

const NAMES = ['q', 'agent', 'workspace', 'kind'];

/** What the address says: the view, the ask that is open, and what is wanted of the list. */
export function readAddress() {
  const ask = location.pathname.match(/^\/ask\/([^/]+)$/)?.[1];
  const given = new URLSearchParams(location.search);
  const wanted = Object.fromEntries(NAMES.map((name) => [name, given.get(name)]).filter(([, value]) => value));
  const view = location.pathname === '/history' || (ask && given.get('in') === 'history') ? 'history' : 'open';
  return { ask: ask && decodeURIComponent(ask), view, wanted, odd: view === 'history' && given.has('odd') };
}

/** The address of a list, or of an ask that is open beside it. */
export function addressOf({ ask, view, wanted = {}, odd }) {
  const parts = NAMES.filter((name) => wanted[name]).map((name) => [name, wanted[name]]);
  if (ask && view === 'history') parts.unshift(['in', 'history']);
  if (odd) parts.push(['odd', '']);
  const path = ask ? `/ask/${encodeURIComponent(ask)}` : view === 'history' ? '/history' : '/';
  return parts.length ? `${path}?${new URLSearchParams(parts)}` : path;
}

/** Puts an address into the address bar, as a new entry of the history or in place of this one. */
export function setAddress(address, replace = false) {
  if (location.pathname + location.search !== address) history[replace ? 'replaceState' : 'pushState'](null, '', address);
}

/** Whether two lists want the same. */
export const isSame = (one, other) => one.view === other.view && one.odd === other.odd && NAMES.every((name) => one.wanted[name] === other.wanted[name]);
