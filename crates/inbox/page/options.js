// Yes or no, one of several, some of several. Nothing that decides is selected beforehand.

import { button, el } from './dom.js';
import { counted } from './texts.js';

const MANY = 12;

/** A decision: two buttons, none of them pressed. */
export function confirm(field, id) {
  const inputs = ['Yes', 'No'].map((word) => el('input', { type: 'radio', name: id, value: word }));
  inputs[0].id = id;
  const answer = { Yes: true, No: false };
  return {
    group: true,
    control: el('div', { class: 'control pair' },
      inputs.map((input) => el('label', { class: 'option' }, input, el('span', { class: 'words' }, input.value))),
      clearing(field, inputs)),
    missing: 'be yes or no',
    read: () => answer[inputs.find((input) => input.checked)?.value],
    fill: (value) => inputs.forEach((input) => { input.checked = answer[input.value] === value; }),
    focus: () => inputs[0].focus(),
  };
}

/** One of several options, perhaps one of the person's own. */
export function choice(field, id) {
  const list = optionList(field, id, 'radio');
  const [inputs, own] = [list.inputs, list.own];
  const read = () => {
    const chosen = inputs.find((input) => input.checked);
    if (!chosen) return undefined;
    return chosen === own?.input ? own.text.value.trim() || undefined : chosen.value;
  };
  const fill = (value) => {
    if (value === undefined) return;
    const known = inputs.find((input) => input !== own?.input && input.value === value);
    if (known) known.checked = true;
    else own?.fill(value);
  };
  fill(field.default);
  return {
    group: true, read, fill, missing: 'be chosen',
    control: el('div', { class: 'control' }, list.element, clearing(field, inputs)),
    focus: () => (inputs.find((input) => input.checked) ?? inputs[0]).focus(),
  };
}

/** Some of several options, perhaps one of the person's own. */
export function choices(field, id) {
  const list = optionList(field, id, 'checkbox');
  const [inputs, own] = [list.inputs, list.own];
  const read = () => {
    const chosen = inputs.filter((input) => input.checked);
    const values = chosen.map((input) => (input === own?.input ? own.text.value.trim() : input.value));
    return values.filter((value) => value !== '');
  };
  const fill = (values) => {
    if (!Array.isArray(values)) return;
    for (const input of inputs) input.checked = input !== own?.input && values.includes(input.value);
    const other = values.find((value) => !field.options.some((option) => option.value === value));
    if (other !== undefined) own?.fill(other);
  };
  fill(field.default);
  const bounds = boundsOf(field);
  return {
    group: true, fill,
    read: () => (read().length === 0 && field.required === false ? undefined : read()),
    control: el('div', { class: 'control' }, bounds && el('p', { class: 'hint' }, `Choose ${bounds}.`), list.element),
    wrong: () => {
      const count = read().length;
      if (count === 0 && field.required === false) return undefined;
      if (count < (field.min ?? 0)) return `have at least ${counted(field.min, 'option')}`;
      if (count > (field.max ?? Infinity)) return `have at most ${counted(field.max, 'option')}`;
      return undefined;
    },
    focus: () => inputs[0].focus(),
  };
}

function boundsOf({ min, max }) {
  if (min && max) return min === max ? `${min}` : `${min} to ${max}`;
  if (min) return `at least ${min}`;
  return max ? `at most ${max}` : undefined;
}

function optionList(field, id, type) {
  const inputs = [];
  const rows = field.options.map((option) => {
    const input = el('input', { type, name: id, value: option.value });
    inputs.push(input);
    return el('label', { class: 'option' }, input, el('span', { class: 'words' },
      el('span', { class: 'name' }, option.label ?? option.value,
        option.recommended && el('span', { class: 'badge good' }, 'Recommended')),
      option.description && el('span', { class: 'description' }, option.description)));
  });
  const own = field.other ? ownAnswer(id, type) : undefined;
  if (own) {
    inputs.push(own.input);
    rows.push(own.row);
  }
  inputs[0].id = id;
  const element = el('div', { class: 'options' }, rows);
  if (rows.length <= MANY) return { element, inputs, own };
  element.classList.add('long');
  const filter = el('input', { type: 'search', class: 'filter', placeholder: `Filter ${rows.length} options`, 'aria-label': 'Filter the options' });
  filter.addEventListener('input', (event) => {
    event.stopPropagation();
    const wanted = filter.value.trim().toLowerCase();
    for (const row of rows) {
      const chosen = row.querySelector('input').checked;
      row.hidden = !chosen && row !== own?.row && !row.textContent.toLowerCase().includes(wanted);
    }
  });
  return { element: el('div', {}, filter, element), inputs, own };
}

function ownAnswer(id, type) {
  const input = el('input', { type, name: id, value: '' });
  const text = el('input', { type: 'text', class: 'own', 'aria-label': 'Other, in your own words', placeholder: 'In your own words', autocomplete: 'off' });
  text.addEventListener('input', () => { if (text.value) input.checked = true; });
  input.addEventListener('change', () => { if (input.checked) text.focus(); });
  return {
    input, text,
    row: el('div', { class: 'option' }, el('label', { class: 'words' }, input, el('span', { class: 'name' }, 'Other')), text),
    fill: (value) => { text.value = value; input.checked = true; },
  };
}

/** An optional answer can be taken back. */
function clearing(field, inputs) {
  if (field.required !== false) return undefined;
  return button('Clear', {
    class: 'plain small',
    onclick: (event) => {
      inputs.forEach((input) => { input.checked = false; });
      event.target.dispatchEvent(new Event('change', { bubbles: true }));
    },
  });
}
