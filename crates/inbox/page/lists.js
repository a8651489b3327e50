// Inputs that only arguments have: a list with one value on each line, and anything as JSON.

import { el } from './dom.js';

const READ = {
  string: (text) => text,
  number: (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text)),
  integer: (text) => (/^\s*[-+]?\d+\s*$/.test(text) ? Number(text) : undefined),
  boolean: (text) => ({ true: true, yes: true, false: false, no: false })[text.trim().toLowerCase()],
};
const WANTED = { string: 'a text', number: 'a number', integer: 'a whole number', boolean: 'yes or no' };

/** A list of values, one on each line. */
export function list(field, id) {
  const input = el('textarea', { id, rows: 3, spellcheck: 'false' });
  const fill = (values) => { input.value = Array.isArray(values) ? values.join('\n') : ''; };
  fill(field.default);
  const lines = () => input.value.split('\n').filter((line) => line.trim() !== '');
  const values = () => lines().map(READ[field.items]);
  return {
    control: el('div', { class: 'control' }, input, el('p', { class: 'hint' }, `One on each line: ${WANTED[field.items]}.`)),
    read: () => (lines().length === 0 && field.required === false ? undefined : values()),
    fill,
    wrong: () => {
      const at = values().findIndex((value) => value === undefined);
      return at < 0 ? undefined : `have ${WANTED[field.items]} on each line, not “${lines()[at]}”`;
    },
    focus: () => input.focus(),
  };
}

/** Anything, as JSON. */
export function json(field, id) {
  const input = el('textarea', { id, rows: 3, class: 'json', spellcheck: 'false', placeholder: field.object ? '{ "name": "value" }' : undefined });
  input.value = field.default ?? '';
  const parsed = () => {
    try {
      return { value: JSON.parse(input.value) };
    } catch {
      return {};
    }
  };
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  return {
    control: el('div', { class: 'control' }, input, el('p', { class: 'hint' }, field.object ? 'A JSON object.' : 'As JSON: "a text", 3, true, [1, 2] or { "name": "value" }.')),
    read: () => (input.value.trim() === '' ? undefined : parsed().value),
    fill: (value) => { input.value = JSON.stringify(value, null, 2); },
    wrong: () => {
      if (input.value.trim() === '') return undefined;
      if (!('value' in parsed())) return 'be JSON';
      return field.object && !isObject(parsed().value) ? 'be a JSON object' : undefined;
    },
    focus: () => input.focus(),
  };
}
