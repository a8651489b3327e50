// What is shown instead of the page while it may not show anything.

import { Refused } from './api.js';
import { byId, el, say } from './dom.js';
import { whenSaved } from './storage.js';

/** Says why the page shows nothing, and what to do. */
export function gate(refused) {
  const words = refused.keyIsSpent
    ? [
      el('h1', {}, 'This address has been used'),
      el('p', {}, refused.message),
      el('pre', {}, el('code', {}, 'holdpoint inbox --web')),
    ]
    : refused.needsKey ? [
      el('h1', {}, 'This browser has no key yet'),
      el('p', {}, 'Run this command once in a terminal. It opens the page with its key; after that, this browser remembers you.'),
      el('pre', {}, el('code', {}, 'holdpoint inbox --web')),
    ]
    : [el('h1', {}, 'Holdpoint is not responding'), el('p', {}, refused.message ?? String(refused))];
  byId('gate').replaceChildren(...words);
  byId('gate').hidden = false;
  byId('main').hidden = true;
  document.documentElement.dataset.ready = 'true';
}

/** Does something, and says what the server refuses. */
export async function attempt(act) {
  try {
    await act();
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    if (refused.needsKey) gate(refused);
    else say(refused.message);
  }
}

// Another tab got the key: this one can go on.
whenSaved('entered', () => { if (!byId('gate').hidden) location.reload(); });
