// One field of a form: its label, help, input and what is wrong with it.

import { el, markup } from './dom.js';
import { date, moment } from './dates.js';
import { file } from './file.js';
import { json, list } from './lists.js';
import { integer, number, rating } from './numbers.js';
import { choice, choices, confirm } from './options.js';
import { remembering } from './remembering.js';
import { link, secret, text, toggle } from './texts.js';

// Each takes (field, id, ask) and gives an input:
//   control  what is shown
//   group    several inputs under one legend
//   read()   the value, or undefined where nothing is filled in
//   fill(v)  fills in a value
//   wrong()  what the value must be or have, or undefined
//   focus()  where to type
const INPUTS = {
  text: (field, ...rest) => {
    if (field.format === 'date') return date(field, ...rest);
    if (field.format === 'date-time') return moment(field, ...rest);
    return text(field, ...rest);
  },
  secret, toggle, confirm, choice, choices, number, integer, rating, date, 'date-time': moment, file, link, list, json,
};

// The names that a form gives a field when nobody has named it.
const NAMELESS = ['value', 'selected', 'confirmed'];

/** What people call a field. */
export const titleOf = ({ title, name }) => title ?? (NAMELESS.includes(name) ? 'Your answer' : name);

/** A field of an ask's form, ready to be filled in. `index` tells it from the others. */
export function fieldOf(field, index, ask) {
  const id = `field-${index}`;
  const label = titleOf(field);
  const required = field.required !== false;
  const input = (field.remembers ? remembering : INPUTS[field.kind] ?? unknown)(field, id, ask);
  const mark = required
    ? [el('span', { class: 'required', 'aria-hidden': 'true' }, '*'), el('span', { class: 'unseen' }, ' (required)')]
    : el('span', { class: 'optional' }, 'optional');
  const help = helpOf(field, id);
  const error = el('p', { class: 'error', id: `${id}-error`, role: 'alert', hidden: true });
  const name = input.group
    ? el('legend', { class: 'label' }, label, mark)
    : el('label', { class: 'label', for: id }, label, mark);
  const element = el(
    input.group ? 'fieldset' : 'div',
    { class: 'field', 'data-field': field.name, 'data-kind': field.kind },
    name, help, input.control, error,
  );
  const described = [help && `${id}-help`, `${id}-error`].filter(Boolean).join(' ');
  const target = input.group ? element : element.querySelector(`#${id}`);
  target?.setAttribute('aria-describedby', described);
  if (required && !input.group) target?.setAttribute('aria-required', 'true');

  const show = (message) => {
    error.textContent = message ?? '';
    error.hidden = !message;
    element.classList.toggle('wrong', Boolean(message));
    if (message) target?.setAttribute('aria-invalid', 'true');
    else target?.removeAttribute('aria-invalid');
  };
  element.addEventListener('input', () => show());
  element.addEventListener('change', () => show());

  return {
    ...input, field, element, show,
    /** Whether the value can be sent; shows what is wrong with it otherwise. */
    check() {
      const missing = required && input.read() === undefined;
      const wrong = input.wrong?.() ?? (missing ? input.missing ?? 'be filled in' : undefined);
      show(wrong && `${label} must ${wrong}.`);
      return !wrong;
    },
  };
}

function helpOf(field, id) {
  if (field.helpHtml) {
    const help = markup(field.helpHtml, 'help');
    help.id = `${id}-help`;
    return help;
  }
  return field.help ? el('p', { class: 'help', id: `${id}-help` }, field.help) : undefined;
}

/** A kind that this page does not know yet: it can be declined, not answered. */
function unknown(field, id) {
  const control = el('p', { class: 'help', id, tabindex: '-1' }, `This page is too old for a field of the kind ${field.kind}: reload it.`);
  return { control, read: () => undefined, fill() {}, focus: () => control.focus() };
}
