// Several asks decided at once: of one server and agent, with one tool and one form, none of them dangerous. The text
// of each is shown whole beside its tick, and what will be decided as a table before anything is sent.

import { post } from './api.js';
import { ago, keepTime } from './clock.js';
import { shown } from './decision.js';
import { declining, dialogOf } from './dialogs.js';
import { button, el, markup } from './dom.js';
import { titleOf } from './fields.js';
import { formOf, onlyConfirm } from './form.js';
import { inView, whenSeen } from './in_view.js';
import { originOf } from './origin.js';
import { SETTLE_MS, setReady, whenPressed } from './press.js';
import { gist, placeOf } from './ask_list.js';

// What a person can look over at once; the server takes no more.
const MOST = 20;

/** The asks that can be decided together with this one, itself first; none where it is alone. Rows have the beginning of the key. */
export function alike(ask, rows) {
  if (!ask.together) return [];
  const others = rows.filter((row) => row.id !== ask.id && row.together && ask.together.startsWith(row.together));
  return others.length ? [ask, ...others].slice(0, MOST) : [];
}

/** Lets a person pick some of them, fill in one form, see what that decides, and send it. */
export function decideTogether(asks, { sending, ended }) {
  const [first] = asks;
  // Where the ask has ways of its own to end, each has its button; the rest of the form is filled in above them.
  const endings = first.form.fields.find((field) => field.options?.some((option) => option.ending));
  const others = { fields: first.form.fields.filter((field) => field !== endings) };
  const form = formOf({ ...first, form: endings ? others : first.form }, { draft: false });
  const ticks = asks.map((ask) => el('input', { type: 'checkbox', value: ask.id, 'aria-label': gist(ask) }));
  const chosen = () => asks.filter((_, at) => ticks[at].checked);
  const trouble = el('p', { class: 'trouble', role: 'alert', hidden: true });
  const step = el('div');
  const { dialog, close } = dialogOf('together-dialog', 'Decide several asks', originOf(first), step);
  const texts = asks.map(textOf);
  let sender;
  let view;
  pick();

  /** The text of one ask, whole, beside its tick. */
  function textOf(ask, at) {
    const lastLine = el('div', { class: 'last-line' });
    const element = el('li', {},
      el('label', { class: 'option' }, ticks[at], el('span', { class: 'words' }, el('strong', {}, gist(ask)), el('span', { class: 'hint' }, 'Asked ', ago(ask.openedAt)))),
      el('details', { class: 'fold', open: true }, el('summary', {}, 'What it says'), wholeText(ask), lastLine));
    const unseen = whenSeen([ticks[at], lastLine], () => { if (!unseen()) element.dataset.seen = 'true'; });
    return { element, unseen };
  }

  function pick() {
    step.replaceChildren(
      el('ol', { class: 'texts' }, texts.map(({ element }) => element)),
      form.element,
      trouble,
      el('div', { class: 'actions' },
        endings ? endings.options.map((option, at) => button(`${option.ending?.action ?? option.label}…`, {
          class: option.ending?.tone === 'go' ? 'primary' : 'secondary', id: at === 0 ? 'together-review' : undefined,
          onclick: () => review('accept', { [endings.name]: option.value }),
        })) : button(onlyConfirm(first.form) ? 'Approve…' : 'Submit…', { class: 'primary', id: 'together-review', onclick: () => review('accept') }),
        button('Decline…', { class: 'secondary', id: 'together-decline', onclick: () => review('decline') }),
        button('Back', { class: 'plain', onclick: () => close() })));
    keepTime();
  }

  async function review(action, ending = {}) {
    const picked = chosen();
    if (picked.length === 0) return fail('Tick the asks that you want to decide.');
    if (action === 'accept' && picked.some((ask) => texts[asks.indexOf(ask)].unseen())) {
      return fail('Read the text of each ask that you ticked first, to its end.');
    }
    const filled = action === 'accept' ? form.content() : undefined;
    if (action === 'accept' && filled === undefined) return undefined;
    const content = filled && { ...filled, ...ending };
    const reason = action === 'decline' ? await declining(picked) : undefined;
    if (action === 'decline' && reason === undefined) return undefined;
    trouble.hidden = true;
    const words = action === 'accept' ? answerWords(first, content) : `Declined${reason ? `: ${reason}` : ''}`;
    sender = button(`Send ${picked.length}`, { class: 'primary', id: 'together-send' });
    whenPressed(sender, () => send(picked, { action, content, reason: reason || undefined }));
    const rows = picked.map((ask) => el('tr', { 'data-id': ask.id }, el('td', {}, el('details', { class: 'fold' }, el('summary', {}, gist(ask)), wholeText(ask))), el('td', {}, placeOf(ask)), el('td', { class: 'decided' }, words)));
    const table = el('table', { id: 'together-table' },
      el('thead', {}, el('tr', {}, el('th', {}, 'Ask'), el('th', {}, 'Where'), el('th', {}, 'Decision'))),
      el('tbody', {}, rows));
    step.replaceChildren(
      el('p', {}, 'This will be decided:'),
      table,
      trouble,
      el('div', { class: 'actions' }, sender, button('Back', { class: 'plain', onclick: pick })));
    // What will be decided is new on the screen: it is looked at before it can be sent.
    view = inView(table, Math.max(first.readingMs, SETTLE_MS), () => setReady(sender, Boolean(view?.read())), [table, rows.at(-1)]);
    return undefined;
  }

  async function send(picked, reply) {
    const presence = { shownMs: view.shownMs(), gesture: 'chosen' };
    setReady(sender, false);
    const sent = sending(picked.map(({ id }) => id));
    try {
      const { results } = await post('/api/elicitation/respond-many', { askIds: picked.map(({ id }) => id), presence, ...reply });
      const open = results.filter(({ decision }) => !decision);
      if (open.length === 0) close();
      for (const { askId, decision, result } of results) if (decision) ended(askId, decision, result === 'settled');
      if (open.length === 0) return undefined;
      for (const { askId, errors = [], message, result } of open) {
        const cell = dialog.querySelector(`tr[data-id="${CSS.escape(askId)}"] .decided`);
        if (cell) cell.textContent = errors.map((error) => error.message).join(' ') || message || `still open (${result})`;
      }
      return fail(`${open.length} of ${picked.length} are still open.`);
    } catch (refused) {
      setReady(sender, view.read());
      return fail(refused.message);
    } finally {
      sent();
    }
  }

  function fail(message) {
    trouble.textContent = message;
    trouble.hidden = false;
  }
}

/** All that an ask says. */
function wholeText(ask) {
  return el('div', { class: 'whole-text' }, markup(ask.message, 'message'), ask.details && markup(ask.details, 'details'));
}

function answerWords({ form }, content) {
  const only = onlyConfirm(form);
  if (only) return 'Approved';
  return form.fields
    .map((field) => [titleOf(field), shown(field, content[field.name])])
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ') || 'Submitted';
}
