// What is said where there is nothing.

import { button, el } from './dom.js';
import { firstStepsOf } from './first_steps.js';

/** Says under the list why it is empty, and what to do. */
export function emptyList(place, { count, view, wanted, odd, asleep, clear }) {
  place.hidden = count > 0;
  if (count > 0) return;
  const filtered = Object.values(wanted).some(Boolean);
  const content = odd ? ['Nothing looks odd.']
    : filtered ? ['Nothing found.', button('Clear search and filters', { class: 'secondary small', id: 'clear-filters', onclick: clear })]
      : view === 'history' ? ['Nothing has been decided yet.']
        : asleep > 0 ? ['All that is open is snoozed.']
          : ['Nothing is waiting for you.'];
  place.replaceChildren(...content.map((part) => (typeof part === 'string' ? el('p', {}, part) : part)));
}

/** What stands in place of an ask. */
export function emptyPane({ view, open, steps }) {
  if (view === 'history') return el('div', { class: 'nothing' }, el('p', {}, 'Choose an ask to see how it ended.'));
  if (open > 0) return el('div', { class: 'nothing' }, el('p', {}, 'Choose an ask.'));
  if (steps && !steps.dismissed) return firstStepsOf(steps);
  return el('div', { class: 'nothing' },
    el('p', { class: 'headline' }, 'All done.'),
    el('p', {}, 'Nothing is waiting for you. This page stays up to date: an ask appears here as soon as an agent makes it.'));
}
