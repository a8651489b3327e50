// An ask that has ended, whole: what was asked, how it ended, what was answered.

import { long, moment } from './clock.js';
import { copyButton } from './copying.js';
import { button, el } from './dom.js';
import { dropReview, reviewOf, unsentBefore } from './drafts.js';
import { editLines } from './editing.js';
import { endingField } from './endings.js';
import { titleOf } from './fields.js';
import { bytes } from './file.js';
import { changedLines } from './line_changes.js';
import { originOf } from './origin.js';
import { verdictBadge } from './ask_list.js';
import { outlineOf } from './outline.js';
import { wordsOf } from './places.js';
import { commentList, roundsOf } from './rounds.js';
import { shownText } from './shown_text.js';
import { counted } from './texts.js';

/** How an ask ended, in a box. `note` says what the person should know; `lost` is what was filled in; `next` leads on. */
export function verdictOf(ask, { note, lost, next } = {}) {
  const { decision } = ask;
  return el('div', { class: 'verdict' },
    el('p', { class: 'badges' }, verdictBadge(decision),
      ask.dangerous && el('span', { class: 'badge bad' }, 'Dangerous'),
      decision.fast && el('span', { class: 'badge bad' }, 'Faster than a person can read')),
    el('h2', { class: 'words', tabindex: '-1' }, decision.words),
    decision.reason && el('blockquote', { dir: 'auto' }, decision.reason),
    note && el('p', { class: 'note' }, note),
    answerOf(ask),
    decision.comments?.length > 0 && el('section', { 'aria-label': 'Comments' }, el('h3', {}, counted(decision.comments.length, 'comment')), commentList(decision.comments)),
    decision.edited && editedOf(ask, decision.edited),
    unsentOf(ask, lost ?? {}),
    next && el('p', { class: 'actions' }, button(next.label, { class: 'primary', id: 'next', onclick: next.go })));
}

/** An ended ask, with what `verdictOf` takes. */
export function endedAsk(ask, about = {}) {
  const { decision } = ask;
  const text = shownText(ask);
  const outline = ask.kind === 'review' ? outlineOf(ask, text.element, text.diffs, text.open) : undefined;
  const element = el('article', { class: 'ask ended', 'data-id': ask.id, 'data-kind': ask.kind, 'data-outcome': decision.outcome },
    ask.kind === 'review' && el('a', { class: 'to-list', href: '/history' }, 'History'),
    verdictOf(ask, about),
    roundsOf(ask),
    el('div', { class: 'asked' },
      originOf(ask),
      el('div', { class: outline ? 'sheet with-outline' : 'sheet' }, outline ?? [], el('div', { class: 'texts-shown' }, text.element))),
    el('dl', { class: 'facts' },
      fact('Asked', moment(ask.openedAt)),
      fact('Ended', `${moment(decision.at)}, after ${long(decision.durationMs)}`),
      fact('Answered by', decision.answeredBy),
      fact('Channel', decision.channel),
      fact('Ask', el('span', { class: 'id', title: ask.id }, ask.shortId))));
  const heading = element.querySelector('.words');
  return { element, ask, focus: () => heading.focus(), leadOn: () => (element.querySelector('#next') ?? heading).focus() };
}

/** A person's own version of the text, with what they changed of it. */
function editedOf({ editable }, edited) {
  const lines = editable && changedLines(editable.text, edited.text);
  return el('section', { class: 'edited', 'aria-label': 'Edited text' },
    el('h3', {}, `Edited: ${editable?.title ?? edited.file ?? edited.field}`),
    lines ? editLines(lines) : el('pre', { dir: 'auto' }, edited.text));
}

/** What was answered, by the labels that the person saw. */
function answerOf({ form, decision }) {
  if (!decision.content) return undefined;
  // What ended it is said already, in its own words.
  const ending = endingField({ form });
  const rows = form.fields.filter(({ name }) => name !== ending?.name).map((field) => fact(titleOf(field), shown(field, decision.content[field.name])));
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

/** What the person had written and not sent when it ended, to be copied. */
function unsentOf(ask, values) {
  const { comments, edited, values: kept = {} } = reviewOf(ask);
  const written = { ...kept, ...values };
  const rows = ask.form.fields.filter(({ name }) => written[name] !== undefined).map((field) => [titleOf(field), shown(field, written[field.name])]).filter(([, value]) => value);
  if (!rows.length && !comments.length && edited === undefined) return undefined;
  const text = [
    ...rows.map(([name, value]) => `${name}: ${value}`),
    ...comments.map((comment) => [`${wordsOf(comment.where)}: ${comment.text}`, comment.suggestion].filter(Boolean).join('\n')),
    edited,
  ].filter(Boolean).join('\n\n');
  return el('details', { class: 'lost' }, el('summary', {}, 'What you had filled in was not sent'),
    el('p', { class: 'does' }, copyButton(() => text, 'Copy it'), ask.round && el('span', { class: 'hint' }, 'It is kept for the next round.')),
    el('dl', { class: 'answer' }, rows.map(([name, value]) => fact(name, value))),
    comments.length > 0 && commentList(comments),
    edited !== undefined && el('pre', { dir: 'auto' }, edited));
}

/** Offers what was written in an earlier round and never sent; `take` takes it over. */
export function unsentNotice(ask, take) {
  const unsent = unsentBefore(ask);
  if (!unsent) return undefined;
  const what = [unsent.comments?.length && counted(unsent.comments.length, 'comment'), unsent.edited !== undefined && 'your edits', unsent.values && 'what you filled in'].filter(Boolean).join(' and ');
  const notice = el('p', { class: 'notice unsent' }, `Round ${unsent.round} ended before you sent ${what}. `,
    button('Take it over', { class: 'secondary', id: 'take-over', onclick: () => end(() => take(unsent)) }),
    button('Discard', { class: 'plain', onclick: () => end() }));
  const end = (then) => {
    dropReview(unsent.id);
    notice.remove();
    then?.();
  };
  return notice;
}
