// The ways in which a person can end an ask, in the ask's own words.

import { onlyConfirm } from './form.js';

/** The one field whose options end the ask by themselves, each in words of its own; none where there is no such. */
export function endingField({ form }) {
  const [field, ...others] = form.fields.filter(({ decides }) => decides);
  const ends = field?.kind === 'choice' && !field.other && others.length === 0 && field.options.every(({ ending }) => ending);
  return ends ? field : undefined;
}

/**
 * The endings of an ask, besides turning it down. Each has what it is called, what is said once it is chosen, its
 * tone, what it adds to the answer, and the field that it leads to first.
 */
export function endingsOf(ask) {
  const field = endingField(ask);
  if (field) {
    return field.options.map(({ value, ending: { action, done, tone, wants } }) => ({
      action, done, tone, wants: ask.form.fields.some(({ name }) => name === wants) ? wants : undefined, content: { [field.name]: value },
    }));
  }
  return [{ ...onlyWay(ask), tone: 'go', content: {} }];
}

function onlyWay({ form }) {
  if (onlyConfirm(form)) return { action: 'Approve', done: 'Approved' };
  if (form.fields.length === 0) return { action: 'Seen', done: 'Seen' };
  return form.fields.length === 1 && form.fields[0].kind === 'choice' ? { action: 'Answer', done: 'Answered' } : { action: 'Send', done: 'Answered' };
}
