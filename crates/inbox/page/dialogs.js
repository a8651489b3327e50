// Dialogs: a reason for declining, and help on the keys.

import { button, el } from './dom.js';
import { setReady } from './press.js';

/** Asks for a reason; nothing where the person goes back, or where `over` says that the ask has ended meanwhile. */
export function declining(ask, over) {
  const reason = el('textarea', { id: 'reason', rows: 3, placeholder: 'The agent will see this. You can leave it empty.' });
  const happened = el('p', { class: 'notice happened', role: 'alert', hidden: true });
  const send = () => { if (!over?.aborted) close(reason.value.trim()); };
  const { dialog, close, closed } = dialogOf('decline-dialog', 'Decline',
    happened,
    el('label', { class: 'label', for: 'reason' }, 'Why? ', el('span', { class: 'optional' }, 'optional')),
    reason,
    el('div', { class: 'actions' },
      button(ask.length ? `Decline ${ask.length}` : 'Decline', { class: 'primary', id: 'decline-send', onclick: send }),
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

/** How to use the keys. */
export function keyHelp(more = []) {
  const keys = [
    ['j', 'next ask'], ['k', 'previous ask'], ['Ctrl Enter', 'submit an ask that you are in; on a dangerous one, go to the button'],
    ['d', 'decline an ask that you have touched'], ['x', 'select an ask, to decide several together'], ['/', 'search'], ['?', 'this help'], ['Esc', 'leave a field or a window'],
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
