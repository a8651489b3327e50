// Several asks decided at once: of the same tool, with the same form, none of them dangerous.
// What will be decided is shown as a table before anything is sent.

import { post } from './api.js';
import { ago, keepTime } from './clock.js';
import { shown } from './decision.js';
import { declining, dialogOf } from './dialogs.js';
import { button, el } from './dom.js';
import { titleOf } from './fields.js';
import { formOf, onlyConfirm } from './form.js';
import { gist, placeOf } from './ask_list.js';

// A secret, a file or a visit belongs to one ask.
const OWN = ['secret', 'file', 'link'];
// What a person can look over in one table; the server takes no more.
const MOST = 100;

/** The asks that can be decided together with this one, itself first; none where it is alone. */
export function alike(ask, asks) {
  const fits = (one) => !one.dangerous && !one.pinNeeded && one.origin.tool && !one.form.fields.some(({ kind }) => OWN.includes(kind));
  if (!fits(ask)) return [];
  const form = JSON.stringify(ask.form);
  const others = asks.filter((one) => one.id !== ask.id && fits(one) && one.origin.tool === ask.origin.tool && JSON.stringify(one.form) === form);
  return others.length ? [ask, ...others].slice(0, MOST) : [];
}

/** Lets a person pick some of them, fill in one form, see what that decides, and send it. */
export function decideTogether(asks, { sending, ended }) {
  const form = formOf(asks[0], { draft: false });
  const ticks = asks.map((ask) => el('input', { type: 'checkbox', value: ask.id, 'aria-label': gist(ask) }));
  const all = el('input', { type: 'checkbox', id: 'together-all' });
  const chosen = () => asks.filter((_, at) => ticks[at].checked);
  const trouble = el('p', { class: 'trouble', role: 'alert', hidden: true });
  const step = el('div');
  const { dialog, close } = dialogOf('together-dialog', `Decide several asks of ${asks[0].origin.tool}`, step);

  all.addEventListener('change', () => ticks.forEach((tick) => { tick.checked = all.checked; }));
  pick();

  function pick() {
    step.replaceChildren(
      el('table', {},
        el('thead', {}, el('tr', {}, el('th', {}, el('label', {}, all, el('span', { class: 'unseen' }, 'All'))), el('th', {}, 'Ask'), el('th', {}, 'Where'), el('th', {}, 'Asked'))),
        el('tbody', {}, asks.map((ask, at) => el('tr', {}, el('td', {}, ticks[at]), el('td', {}, gist(ask)), el('td', {}, placeOf(ask)), el('td', {}, ago(ask.openedAt)))))),
      form.element,
      trouble,
      el('div', { class: 'actions' },
        button(onlyConfirm(asks[0].form) ? 'Approve…' : 'Submit…', { class: 'primary', id: 'together-review', onclick: () => review('accept') }),
        button('Decline…', { class: 'secondary', id: 'together-decline', onclick: () => review('decline') }),
        button('Back', { class: 'plain', onclick: () => close() })));
    keepTime();
  }

  async function review(action) {
    const picked = chosen();
    if (picked.length === 0) return fail('Tick the asks that you want to decide.');
    const content = action === 'accept' ? form.content() : undefined;
    if (action === 'accept' && content === undefined) return undefined;
    const reason = action === 'decline' ? await declining(picked) : undefined;
    if (action === 'decline' && reason === undefined) return undefined;
    trouble.hidden = true;
    const words = action === 'accept' ? answerWords(asks[0], content) : `Declined${reason ? `: ${reason}` : ''}`;
    step.replaceChildren(
      el('p', {}, 'This will be decided:'),
      el('table', { id: 'together-table' },
        el('thead', {}, el('tr', {}, el('th', {}, 'Ask'), el('th', {}, 'Where'), el('th', {}, 'Decision'))),
        el('tbody', {}, picked.map((ask) => el('tr', { 'data-id': ask.id }, el('td', {}, gist(ask)), el('td', {}, placeOf(ask)), el('td', { class: 'decided' }, words))))),
      trouble,
      el('div', { class: 'actions' },
        button(`Send ${picked.length}`, { class: 'primary', id: 'together-send', onclick: (event) => send(event.target, picked, { action, content, reason: reason || undefined }) }),
        button('Back', { class: 'plain', onclick: pick })));
    return undefined;
  }

  async function send(sender, picked, reply) {
    sender.disabled = true;
    const sent = sending(picked.map(({ id }) => id));
    try {
      const { results } = await post('/api/elicitation/respond-many', { askIds: picked.map(({ id }) => id), ...reply });
      for (const { askId, decision } of results) if (decision) ended(askId, decision);
      const open = results.filter(({ decision }) => !decision);
      if (open.length === 0) return close();
      for (const { askId, errors = [], result } of open) {
        const cell = dialog.querySelector(`tr[data-id="${CSS.escape(askId)}"] .decided`);
        if (cell) cell.textContent = errors.map(({ message }) => message).join(' ') || `still open (${result})`;
      }
      return fail(`${open.length} of ${picked.length} are still open.`);
    } catch (refused) {
      sender.disabled = false;
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

function answerWords({ form }, content) {
  const only = onlyConfirm(form);
  if (only) return 'Approved';
  return form.fields
    .map((field) => [titleOf(field), shown(field, content[field.name])])
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ') || 'Submitted';
}
