// An ask that has ended, whole: what was asked, how it ended, what was answered.

import { long } from './clock.js';
import { button, el, markup } from './dom.js';
import { titleOf } from './fields.js';
import { bytes } from './file.js';
import { originOf } from './origin.js';
import { outcomeBadge } from './ask_list.js';

/** How an ask ended, in a box. `note` says what the person should know; `next` leads on. */
export function verdictOf(ask, { note, lost, next } = {}) {
  const { decision } = ask;
  return el('div', { class: 'verdict' },
    el('p', { class: 'badges' }, outcomeBadge(decision.outcome),
      ask.dangerous && el('span', { class: 'badge bad' }, 'Dangerous'),
      decision.fast && el('span', { class: 'badge bad' }, 'Faster than a person can read')),
    el('h2', { class: 'words', tabindex: '-1' }, decision.words),
    decision.reason && el('blockquote', {}, decision.reason),
    note && el('p', { class: 'note' }, note),
    answerOf(ask),
    lost && draftLost(ask, lost),
    next && el('p', { class: 'actions' }, button(next.label, { class: 'primary', id: 'next', onclick: next.go })));
}

/** An ended ask, with what `verdictOf` takes. */
export function endedAsk(ask, about = {}) {
  const { decision } = ask;
  const element = el('article', { class: 'ask ended', 'data-id': ask.id, 'data-outcome': decision.outcome },
    verdictOf(ask, about),
    el('div', { class: 'asked' },
      originOf(ask),
      markup(ask.message, 'message'),
      ask.details && markup(ask.details, 'details')),
    el('dl', { class: 'facts' },
      fact('Asked', new Date(ask.openedAt).toLocaleString()),
      fact('Ended', `${new Date(decision.at).toLocaleString()}, after ${long(decision.durationMs)}`),
      fact('Answered by', decision.answeredBy),
      fact('Channel', decision.channel),
      fact('Ask', ask.id)));
  const heading = element.querySelector('.words');
  return { element, ask, focus: () => heading.focus(), leadOn: () => (element.querySelector('#next') ?? heading).focus() };
}

/** What was answered, by the labels that the person saw. */
function answerOf({ form, decision }) {
  if (!decision.content) return undefined;
  const rows = form.fields.map((field) => fact(titleOf(field), shown(field, decision.content[field.name])));
  return rows.some(Boolean) ? el('dl', { class: 'answer' }, rows) : undefined;
}

function fact(name, value) {
  if (value === undefined || value === null || value === '') return undefined;
  return el('div', {}, el('dt', {}, name), el('dd', {}, value));
}

/** A value in words; a secret has none. */
export function shown(field, value) {
  if (field.kind === 'secret') return 'given, never stored';
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') {
    if (field.kind === 'link') return 'visited';
    return field.kind === 'toggle' ? (value ? 'on' : 'off') : (value ? 'yes' : 'no');
  }
  if (Array.isArray(value)) return value.map((one) => labelOf(field, one)).join(', ') || 'none';
  if (field.kind === 'file') return `${value.name}, ${bytes(value.size)}, SHA-256 ${value.sha256}`;
  if (field.kind === 'rating') return `${value} of ${field.max ?? 5}`;
  return field.unit ? `${value} ${field.unit}` : labelOf(field, value);
}

function labelOf(field, value) {
  return field.options?.find((option) => option.value === value)?.label ?? String(value);
}

function draftLost(ask, values) {
  const rows = ask.form.fields.map((field) => values[field.name] !== undefined && fact(titleOf(field), shown(field, values[field.name])));
  if (!rows.some(Boolean)) return undefined;
  return el('details', { class: 'lost' }, el('summary', {}, 'What you had filled in was not sent'), el('dl', { class: 'answer' }, rows));
}
