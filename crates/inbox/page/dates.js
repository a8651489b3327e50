// Days, and moments with the offset of the person's own clock.

import { el } from './dom.js';

/** A day. */
export function date(field, id) {
  const { min, max } = field;
  const input = el('input', { id, type: 'date', min, max });
  if (field.default !== undefined) input.value = field.default;
  return {
    control: el('div', { class: 'control' }, input, hint(min, max)),
    read: () => input.value || undefined,
    fill: (value) => { input.value = value; },
    wrong: () => {
      if (input.validity.badInput) return 'be a date, like 2026-07-28';
      if (input.value === '') return undefined;
      if (min !== undefined && input.value < min) return `be ${min} or later`;
      if (max !== undefined && input.value > max) return `be ${max} or earlier`;
      return undefined;
    },
    focus: () => input.focus(),
  };
}

/** A moment: picked by the person's own clock, sent with its offset. */
export function moment(field, id) {
  const { min, max } = field;
  const input = el('input', { id, type: 'datetime-local', step: 1, min: min && local(min), max: max && local(max) });
  const zone = el('span', { class: 'unit' });
  const read = () => withOffset(input.value);
  const tell = () => { zone.textContent = zoneAt(input.value); };
  const fill = (value) => {
    input.value = local(value);
    tell();
  };
  if (field.default !== undefined) fill(field.default);
  input.addEventListener('input', tell);
  tell();
  return {
    control: el('div', { class: 'control' }, el('div', { class: 'beside' }, input, zone), hint(min && local(min).replace('T', ' '), max && local(max).replace('T', ' '))),
    read, fill,
    wrong: () => {
      if (input.validity.badInput) return 'be a date and time';
      if (input.value === '') return undefined;
      const at = Date.parse(read());
      if (min !== undefined && at < Date.parse(min)) return `be ${local(min).replace('T', ' ')} or later`;
      if (max !== undefined && at > Date.parse(max)) return `be ${local(max).replace('T', ' ')} or earlier`;
      return undefined;
    },
    focus: () => input.focus(),
  };
}

function hint(min, max) {
  if (min && max) return el('p', { class: 'hint' }, `${min} to ${max}`);
  if (min) return el('p', { class: 'hint' }, `${min} or later`);
  return max ? el('p', { class: 'hint' }, `${max} or earlier`) : undefined;
}

/** What the person's clock showed at that moment, as the picker writes it. */
function local(moment) {
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** What the picker wrote, with seconds and the offset that the clock had then. */
function withOffset(written) {
  if (!written) return undefined;
  const seconds = written.length === 16 ? `${written}:00` : written;
  const at = new Date(seconds);
  return Number.isNaN(at.getTime()) ? seconds : seconds.slice(0, 19) + offset(at);
}

function offset(at) {
  const minutes = -at.getTimezoneOffset();
  if (minutes === 0) return 'Z';
  const two = (part) => String(Math.trunc(Math.abs(part))).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

function zoneAt(written) {
  const at = written ? new Date(written) : new Date();
  const shift = Number.isNaN(at.getTime()) ? '' : offset(at).replace('Z', '');
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';
  return `UTC${shift}${zone && zone !== 'UTC' ? `, ${zone.replaceAll('_', ' ')}` : ''}`;
}
