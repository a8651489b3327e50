// The rounds in which the same thing was shown: what was decided and asked for then, and what has changed since.

import { ago } from './clock.js';
import { suggested } from './comment_card.js';
import { el, markup } from './dom.js';
import { wordsOf } from './places.js';

/** The rounds of an ask before this one; nothing where it is the first. */
export function roundsOf({ round }) {
  if (!round?.past?.length) return undefined;
  const [last] = round.past;
  const way = [...round.past].reverse().flatMap(({ number, verdict, by, tone }) => [
    el('span', { class: tone === 'go' ? 'step good' : 'step' }, `Round ${number}, ${verdict.toLowerCase()}${by ? ` by ${by}` : ''}`), ' → ']);
  return el('section', { class: 'rounds', 'aria-label': 'Rounds' },
    el('p', { class: 'way' }, way, el('strong', {}, `Round ${round.number}`), el('span', { class: 'hint' }, ` of ${round.about}`)),
    el('details', { class: 'asked-then' }, el('summary', {}, 'What was asked for then'), round.past.map(pastRound)),
    round.changes
      ? el('details', { class: 'changes' }, el('summary', {}, `What has changed since round ${last.number}`), markup(round.changes, 'changed-text'))
      : el('p', { class: 'hint' }, `The text is the same as in round ${last.number}.`));
}

function pastRound({ number, verdict, by, at, said = [], comments = [] }) {
  return el('div', { class: 'past-round' },
    el('p', {}, el('strong', {}, `Round ${number}`), ` · ${verdict}${by ? ` by ${by}` : ''} · `, ago(at)),
    said.map(({ label, text }) => el('p', { class: 'then' }, el('span', { class: 'hint' }, `${label}: `), el('span', { dir: 'auto' }, text))),
    comments.length > 0 && commentList(comments),
    !said.length && !comments.length && el('p', { class: 'hint' }, 'Nothing more was said.'));
}

/** Comments that were sent, each with its place, and with whether that has changed since, where it is known. */
export function commentList(comments) {
  return el('ol', { class: 'sent' }, comments.map(({ where, quote, text, suggestion, changed }) => el('li', { class: 'comment' },
    el('p', { class: 'spot' }, wordsOf(where),
      changed !== undefined && el('span', { class: changed ? 'badge good' : 'badge' }, changed ? 'Changed since' : 'Not changed')),
    quote && el('blockquote', { dir: 'auto' }, quote),
    text && el('p', { class: 'text', dir: 'auto' }, text),
    suggestion !== undefined && suggestion !== null && suggested(suggestion))));
}
