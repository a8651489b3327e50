// What the page of asks and the page of scripts have in common.

import { dialogOf, keyHelp } from './dialogs.js';
import { button, byId } from './dom.js';
import { firstStepsOf, readFirstSteps } from './first_steps.js';
import { attempt } from './gate.js';
import { listenToKeys } from './keys.js';

/** Binds the keys: `current()` is what is shown, `step(by)` goes to another entry of the list, `select` picks it. */
export function bindKeys(current, step, select = () => {}) {
  listenToKeys({
    next: () => step(1),
    previous: () => step(-1),
    submit: (target) => current()?.submit?.(target),
    decline: () => current()?.decline?.(),
    select,
    comment: () => current()?.comment?.(),
    place: (by) => current()?.place?.(by),
    search: () => byId('search').focus(),
    help,
  });
}

/** The keys, and the way back to the first steps. */
function help() {
  const steps = button('First steps', { class: 'plain', id: 'help-steps' });
  steps.addEventListener('click', () => attempt(async () => {
    const known = await readFirstSteps();
    steps.closest('dialog')?.close();
    const { close } = dialogOf('steps-dialog', 'Beginning with Holdpoint', firstStepsOf(known, { dismissable: false }),
      button('Close', { class: 'secondary', onclick: () => close() }));
  }));
  keyHelp([steps]);
}

/** Follows links within the page without loading it again; `follow` says whether it took the link. */
export function bindLinks(follow) {
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    if (!link || link.origin !== location.origin || link.target || link.hash || link.hasAttribute('download')) return;
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (follow(link.pathname)) event.preventDefault();
  });
}

/** Puts an address into the address bar, as a new entry of the history or in place of this one. */
export function setAddress(address, replace = false) {
  if (location.pathname !== address) history[replace ? 'replaceState' : 'pushState'](null, '', address);
}

/** Catches up with what happened while nobody looked; takes a key that comes to an open page. */
export function bindWindow(catchUp) {
  // Only the part behind the # changes then.
  addEventListener('hashchange', () => { if (location.hash.includes('key=')) location.reload(); });
  byId('help').addEventListener('click', help);
  document.addEventListener('visibilitychange', () => { if (!document.hidden) catchUp(); });
}
