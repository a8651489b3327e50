// Numbers and ratings.

import { button, el } from './dom.js';

/** A number. */
export const number = (field, id) => numeric(field, id, field.step ?? 'any', 'decimal', 'be a number');

/** A whole number. */
export const integer = (field, id) => numeric(field, id, field.step ?? 1, 'numeric', 'be a whole number');

function numeric(field, id, step, inputmode, kind) {
  const { min, max, unit } = field;
  const input = el('input', { id, type: 'number', min, max, step, inputmode, autocomplete: 'off' });
  if (field.default !== undefined) input.value = String(field.default);
  // A wheel that passes over must not change what somebody typed.
  input.addEventListener('wheel', () => input.blur(), { passive: true });
  const amount = (value) => (unit ? `${value} ${unit}` : `${value}`);
  const range = rangeOf(min, max, amount);
  return {
    control: el('div', { class: 'control' },
      el('div', { class: 'beside' }, input, unit && el('span', { class: 'unit' }, unit)),
      range && el('p', { class: 'hint' }, range)),
    read: () => (input.value === '' ? undefined : input.valueAsNumber),
    fill: (value) => { input.value = String(value); },
    wrong: () => {
      if (input.validity.badInput) return kind;
      if (input.value === '') return undefined;
      const value = input.valueAsNumber;
      if (inputmode === 'numeric' && !Number.isInteger(value)) return kind;
      if (min !== undefined && value < min) return `be at least ${amount(min)}`;
      if (max !== undefined && value > max) return `be at most ${amount(max)}`;
      if (field.step !== undefined && !onStep(value, min ?? 0, field.step)) {
        return min === undefined ? `be a multiple of ${amount(field.step)}` : `be ${amount(min)} or steps of ${amount(field.step)} above it`;
      }
      return undefined;
    },
    focus: () => input.focus(),
  };
}

function rangeOf(min, max, amount) {
  if (min !== undefined && max !== undefined) return `${min} to ${amount(max)}`;
  if (min !== undefined) return `At least ${amount(min)}`;
  return max === undefined ? undefined : `At most ${amount(max)}`;
}

/** Decimal fractions are not exact: to the last bit, 0.3 is not a multiple of 0.1. */
function onStep(value, from, step) {
  const steps = (value - from) / step;
  return Math.abs(steps - Math.round(steps)) <= 1e-9 * Math.max(1, Math.abs(steps));
}

/** One to `max` stars. */
export function rating(field, id) {
  const max = field.max ?? 5;
  const inputs = Array.from({ length: max }, (_, at) =>
    el('input', { type: 'radio', name: id, value: String(at + 1), class: 'unseen', 'aria-label': `${at + 1} of ${max}` }));
  inputs[0].id = id;
  const read = () => {
    const chosen = inputs.find((input) => input.checked);
    return chosen ? Number(chosen.value) : undefined;
  };
  const said = el('span', { class: 'state', 'aria-hidden': 'true' });
  const stars = inputs.map((input) => el('label', { class: 'star' }, input, el('span', { 'aria-hidden': 'true' }, '★')));
  const paint = () => {
    stars.forEach((star, at) => star.classList.toggle('lit', at < (read() ?? 0)));
    said.textContent = read() ? `${read()} of ${max}` : '';
  };
  const row = el('div', { class: 'stars', onchange: paint }, stars, said);
  const clear = field.required === false && button('Clear', {
    class: 'plain small',
    onclick: () => {
      inputs.forEach((input) => { input.checked = false; });
      row.dispatchEvent(new Event('change', { bubbles: true }));
    },
  });
  const labels = (field.lowLabel || field.highLabel) && el('p', { class: 'hint ends' },
    el('span', {}, field.lowLabel ? `1: ${field.lowLabel}` : ''),
    el('span', {}, field.highLabel ? `${max}: ${field.highLabel}` : ''));
  return {
    group: true, read, missing: 'be rated',
    control: el('div', { class: 'control' }, row, labels, clear),
    fill: (value) => {
      inputs.forEach((input) => { input.checked = Number(input.value) === value; });
      paint();
    },
    focus: () => (inputs.find((input) => input.checked) ?? inputs[0]).focus(),
  };
}
