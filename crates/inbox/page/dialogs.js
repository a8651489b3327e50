// Dialogs: a reason for declining, and help on the keys.

import { button, el } from './dom.js';
import { setReady } from './press.js';

/** Asks for a reason; nothing where the person goes back, or where `over` says that the ask has ended meanwhile. */
export function declining(ask, over, { more, hint } = {}) {
  const reason = el('textarea', { id: 'reason', rows: 3, placeholder: 'The agent will see this. You can leave it empty.' });
  const happened = el('p', { class: 'notice happened', role: 'alert', hidden: true });
  const send = () => { if (!over?.aborted) close(reason.value.trim()); };
  const { dialog, close, closed } = dialogOf('decline-dialog', 'Decline',
    happened,
    el('label', { class: 'label', for: 'reason' }, 'Why? ', el('span', { class: 'optional' }, 'optional')),
    reason,
    hint && el('p', { class: 'hint' }, hint),
    el('div', { class: 'actions' },
      button(ask.length ? `Decline ${ask.length}` : 'Decline', { class: 'primary', id: 'decline-send', onclick: send }),
      more ?? [],
      button('Back', { class: 'plain', onclick: () => close() })));
  dialog.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!event.repeat) send();
  });
  over?.addEventListener('abort', () => {
    happened.textContent = `${over.reason}. There is nothing left to decline.`;
    happened.hidden = false;
    reason.readOnly = true;
    setReady(dialog.querySelector('#decline-send'), false);
  });
  reason.focus();
  return closed;
}

/**
 * Asks whether to decline, with a reason if the person likes, or to dismiss; nothing where they go back, or where
 * `over` says that the ask has ended meanwhile.
 */
export async function notAnswering(over) {
  const dismiss = button('Dismiss instead', { class: 'plain', id: 'dismiss', title: 'Close it without an answer: the agent waits for instructions' });
  let dismissed = false;
  const closed = declining({}, over, { more: dismiss, hint: 'The agent is told no, and why. If you dismiss it, it is told only that you closed it.' });
  dismiss.addEventListener('click', () => {
    if (over.aborted) return;
    dismissed = true;
    dismiss.closest('dialog').close();
  });
  const reason = await closed;
  if (dismissed) return { action: 'cancel' };
  return reason === undefined ? undefined : { action: 'decline', ...(reason && { reason }) };
}

/** How to use the keys. */
export function keyHelp(more = []) {
  const keys = [
    ['j', 'next ask'], ['k', 'previous ask'], ['x', 'select an ask, to decide several together'],
    ['n', 'next paragraph, heading or change'], ['p', 'the one before'],
    ['c', 'comment on it, on what is selected, or on the whole'],
    ['Ctrl Enter', 'send an ask that you are in; where there are several ways to end it, or it is dangerous, go to the buttons'],
    ['d', 'decline an ask that you have touched'], ['/', 'search'], ['?', 'this help'], ['Esc', 'leave a field or a window'],
  ];
  const { close } = dialogOf('help-dialog', 'Keys',
    el('dl', { class: 'keys' }, keys.map(([key, does]) => el('div', {},
      el('dt', {}, key.split(' ').map((one) => el('kbd', {}, one))), el('dd', {}, does)))),
    el('div', { class: 'actions' }, button('Close', { class: 'secondary', onclick: () => close() }), more));
}

/** A window over the page. It is gone when it closes; `closed` gives what it closed with. */
export function dialogOf(id, title, ...content) {
  const dialog = el('dialog', { id, 'aria-labelledby': `${id}-title` }, el('h2', { id: `${id}-title` }, title), content);
  let value;
  const closed = new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(value);
    });
  });
  document.body.append(dialog);
  dialog.showModal();
  const close = (given) => {
    value = given;
    dialog.close();
  };
  return { dialog, close, closed };
}
