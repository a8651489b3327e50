// What in the record looks odd: replies that did not count, an agent's attempts, answers out of view.

import { get } from './api.js';
import { ago, keepTime } from './clock.js';
import { el } from './dom.js';
import { gist } from './ask_list.js';

/** Reads the events that look odd, newest first; `next` where there are more, to be read on `before`. */
export const loadOdd = (before) => get('/api/log/odd', { before });

/** Shows them in the list; one that belongs to an ask leads to it. */
export function showOdd(list, events, chosen) {
  list.replaceChildren(el('ol', {}, events.map((event) => entryOf(event, chosen))));
  keepTime();
}

function entryOf({ at, words, ask, text }, chosen) {
  const inside = [
    el('span', { class: 'line who' }, el('span', { class: 'place' }, text ? gist({ text }) : 'No ask'), el('span', { class: 'gap' }), ago(at)),
    el('span', { class: 'gist whole' }, words),
  ];
  return el('li', ask ? { 'data-id': ask } : {}, ask
    ? el('a', { href: `/ask/${ask}`, class: 'entry', 'aria-current': ask === chosen ? 'true' : undefined }, inside)
    : el('div', { class: 'entry' }, inside));
}
