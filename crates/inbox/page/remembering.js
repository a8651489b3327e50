// What a yes can have remembered: permissions, one of which is chosen on purpose or none. A key chooses nothing that
// the focus has only just come to, and arrows go from one to the next without choosing it.

import { button, el } from './dom.js';
import { SETTLE_MS } from './press.js';

const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** A text in which what stands between two backticks is code. With more of them it stays as it is. */
export function withCode(text) {
  const parts = text.split('\x60');
  return parts.length === 3 && parts[1] ? [parts[0], el('code', {}, parts[1]), parts[2]] : [text];
}

/** The permissions, none of them chosen. */
export function remembering(field, id) {
  let came = 0;
  const inputs = field.options.map(({ value }) => el('input', { type: 'radio', name: id, value }));
  inputs[0].id = id;
  const rows = field.options.map((option, at) => el('label', { class: 'option' }, inputs[at], el('span', { class: 'words' },
    el('span', { class: 'name' }, el('span', {}, withCode(option.label))),
    option.description && el('span', { class: 'description', dir: 'auto' }, option.description))));
  const options = el('div', { class: 'options', id: `${id}-options`, tabindex: '-1' }, rows);
  // Folded, so that a yes for once needs no way past all of them.
  const folded = el('div', { class: 'scopes', hidden: true }, options, el('p', { class: 'does' }, button('Only this once', { class: 'secondary small once', onclick: fold })));
  const more = button(`${field.title ?? 'Remember this'}…`, { class: 'secondary small more', 'aria-expanded': 'false', 'aria-controls': `${id}-options`, onclick: unfold });
  const chosen = () => inputs.find((input) => input.checked);
  inputs.forEach(chooseOnPurpose);

  function unfold() {
    came = performance.now();
    show(true);
    // The focus goes to nothing that chooses.
    options.focus({ preventScroll: true });
    folded.scrollIntoView({ block: 'nearest' });
  }

  function fold() {
    inputs.forEach((input) => { input.checked = false; });
    options.dispatchEvent(new Event('change', { bubbles: true }));
    show(false);
    more.focus();
  }

  function show(open) {
    folded.hidden = !open;
    more.hidden = open;
    more.setAttribute('aria-expanded', String(open));
  }

  function chooseOnPurpose(input, at) {
    let since = 0;
    let pressed;
    const settled = (from) => performance.now() - from >= SETTLE_MS;
    input.addEventListener('focus', () => { since = performance.now(); });
    input.addEventListener('blur', () => { pressed = undefined; });
    input.addEventListener('keydown', (event) => {
      const step = STEPS[event.key];
      if (step) {
        event.preventDefault();
        inputs[(at + step + inputs.length) % inputs.length].focus();
      } else if (event.key === ' ' && !event.repeat) {
        pressed = { good: settled(since) };
      } else if (event.key === ' ') {
        event.preventDefault();
      }
    });
    input.addEventListener('pointerdown', () => { pressed = undefined; });
    input.addEventListener('click', (event) => {
      const good = settled(came) && (pressed?.good ?? true);
      pressed = undefined;
      if (!good) event.preventDefault();
    });
  }

  return {
    group: true,
    control: el('div', { class: 'control' }, more, folded),
    read: () => chosen()?.value,
    // Nobody is given a permission to give, from wherever it comes.
    fill() {},
    /** What the chosen one is called. */
    chosen: () => field.options.find(({ value }) => value === chosen()?.value)?.label,
    focus: () => (folded.hidden ? more : options).focus(),
  };
}
