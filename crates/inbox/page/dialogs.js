// Dialogs: a reason for declining, and help on the keys.

import { button, el } from './dom.js';

/** Asks for a reason; nothing where the person goes back. */
export function declining(ask) {
  const reason = el('textarea', { id: 'reason', rows: 3, placeholder: 'The agent will see this. You can leave it empty.' });
  const send = () => close(reason.value.trim());
  const { dialog, close, closed } = dialogOf('decline-dialog', 'Decline',
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
  reason.focus();
  return closed;
}

/** How to use the keys. */
export function keyHelp() {
  const keys = [
    ['j', 'next ask'], ['k', 'previous ask'], ['Ctrl Enter', 'submit; on a dangerous ask, go to the button'],
    ['d', 'decline'], ['/', 'search'], ['?', 'this help'], ['Esc', 'leave a field or a window'],
  ];
  const { close } = dialogOf('help-dialog', 'Keys',
    el('dl', { class: 'keys' }, keys.map(([key, does]) => el('div', {},
      el('dt', {}, key.split(' ').map((one) => el('kbd', {}, one))), el('dd', {}, does)))),
    el('div', { class: 'actions' }, button('Close', { class: 'secondary', onclick: () => close() })));
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
