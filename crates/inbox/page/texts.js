// Text, secrets, switches and links.

import { button, el } from './dom.js';

const TYPES = { email: 'email', uri: 'url' };

/** A line of text, or room for several. */
export function text(field, id) {
  const { minLength, maxLength, pattern, placeholder, multiline } = field;
  const input = multiline
    ? el('textarea', { id, rows: 4, placeholder, spellcheck: 'true' })
    : el('input', { id, type: TYPES[field.format] ?? 'text', placeholder, autocomplete: 'off' });
  if (field.default !== undefined) input.value = field.default;
  const length = () => [...input.value].length;
  const counter = maxLength && el('span', { class: 'counter' });
  const count = () => {
    if (!counter) return;
    counter.textContent = `${length()} of ${maxLength}`;
    counter.classList.toggle('over', length() > maxLength);
  };
  input.addEventListener('input', count);
  count();
  return {
    // A pattern of an agent's is matched by the server alone: here it could run for ever.
    control: el('div', { class: 'control' }, input, counter, pattern && el('p', { class: 'hint' }, 'Pattern: ', el('code', {}, pattern))),
    read: () => (input.value === '' && minLength !== 0 ? undefined : input.value),
    fill: (value) => { input.value = value; count(); },
    wrong: () => {
      if (input.value === '') return undefined;
      if (minLength && length() < minLength) return `have at least ${counted(minLength, 'character')}`;
      if (maxLength && length() > maxLength) return `have at most ${counted(maxLength, 'character')}`;
      if (input.validity.typeMismatch) {
        return field.format === 'email' ? 'be an e-mail address, like name@example.org' : 'be a full address, like https://example.org';
      }
      return undefined;
    },
    focus: () => input.focus(),
  };
}

/** A text that nobody else sees, not even this page once it is sent. */
export function secret(field, id) {
  const input = el('input', { id, type: 'password', autocomplete: 'new-password', spellcheck: 'false' });
  const reveal = button('Show', { class: 'plain', 'aria-pressed': 'false', 'aria-label': 'Show what is typed' });
  reveal.addEventListener('click', () => {
    const shown = input.type === 'password';
    input.type = shown ? 'text' : 'password';
    reveal.textContent = shown ? 'Hide' : 'Show';
    reveal.setAttribute('aria-pressed', String(shown));
  });
  return {
    control: el('div', { class: 'control' },
      el('div', { class: 'beside' }, input, reveal),
      el('p', { class: 'hint' }, 'Passed on once and never stored.')),
    read: () => input.value || undefined,
    fill() {},
    clear: () => { input.value = ''; },
    focus: () => input.focus(),
  };
}

/** A setting that is on or off. */
export function toggle(field, id) {
  const input = el('input', { id, type: 'checkbox', role: 'switch', class: 'switch' });
  input.checked = field.default === true;
  const state = el('span', { class: 'state', 'aria-hidden': 'true' });
  const tell = () => { state.textContent = input.checked ? 'On' : 'Off'; };
  input.addEventListener('change', tell);
  tell();
  return {
    control: el('div', { class: 'control beside' }, input, state),
    read: () => input.checked,
    fill: (value) => { input.checked = value === true; tell(); },
    focus: () => input.focus(),
  };
}

/** An address to visit, shown in full before anyone does. */
export function link(field, id) {
  const input = el('input', { id, type: 'checkbox' });
  return {
    control: el('div', { class: 'control' },
      el('p', { class: 'visit' }, address(field.url)),
      el('label', { class: 'option', for: id }, input, el('span', { class: 'words' }, 'I have visited it and done what it asks'))),
    missing: 'be visited',
    read: () => input.checked || undefined,
    fill() {},
    focus: () => input.focus(),
  };
}

function address(url) {
  let parsed;
  try {
    parsed = new URL(url);
  } catch {
    return url;
  }
  if (!['http:', 'https:'].includes(parsed.protocol)) return url;
  const [before, ...after] = parsed.href.split(parsed.host);
  return el('a', { href: parsed.href, target: '_blank', rel: 'noopener noreferrer' },
    before, el('strong', {}, parsed.host), after.join(parsed.host));
}

/** "1 option", "2 options". */
export const counted = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;
