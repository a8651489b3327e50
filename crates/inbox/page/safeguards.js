// What a dangerous yes needs besides: the ask's word or a held button, and the PIN where one is set.

import { el } from './dom.js';

/** The field for the ask's word; `changed` is called as it is typed. */
export function wordField(word, changed) {
  const input = el('input', { id: 'word', type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
  const element = el('div', { class: 'field word' },
    el('label', { class: 'label', for: 'word', id: 'word-how' }, 'Hold the button for a second, or type ', el('code', {}, word), ' here and press it'), input);
  input.addEventListener('input', changed);
  return {
    element,
    value: () => input.value.trim(),
    typed: () => input.value.trim().toLowerCase() === word.toLowerCase(),
    clear: () => { input.value = ''; },
  };
}

/** The PIN, where the ask may need one. It is never saved: password managers heed `one-time-code`, not `off`. */
export function pinField(ask) {
  const input = el('input', { id: 'pin', type: 'password', autocomplete: 'one-time-code', 'aria-required': 'true' });
  const error = el('p', { class: 'error', role: 'alert', hidden: true }, 'Enter your PIN.');
  const element = el('div', { class: 'field pin', hidden: !ask.pinNeeded },
    el('label', { class: 'label', for: 'pin' }, 'Your PIN', el('span', { class: 'required', 'aria-hidden': 'true' }, '*')), input, error);
  input.addEventListener('input', () => { error.hidden = true; });
  return {
    element,
    value: () => input.value || undefined,
    clear: () => { input.value = ''; },
    show: () => { element.hidden = false; },
    ask: () => { element.hidden = false; input.focus(); },
    missing() {
      error.hidden = element.hidden || input.value !== '';
      if (!error.hidden) input.focus();
      return !error.hidden;
    },
  };
}
