// The form of an ask.

import { el } from './dom.js';
import { draftOf, drafts, saveDraft } from './drafts.js';
import { fieldOf } from './fields.js';

// Several forms can be on the page at once: radios of one must not be those of another.
let forms = 0;

/** The one field of a form that asks for no more than yes or no. */
export function onlyConfirm(form) {
  const [field, ...others] = form.fields;
  return field?.kind === 'confirm' && field.required !== false && others.length === 0 ? field : undefined;
}

/**
 * The form of an ask, to be filled in; with a draft, what was filled in before. A single confirm is
 * answered by the button alone, unless `alone` says otherwise. The field `without` is answered by other means.
 */
export function formOf(ask, { draft = true, alone: byButton = true, without } = {}) {
  const alone = byButton ? onlyConfirm(ask.form) : undefined;
  const mine = ++forms;
  const fields = alone ? [] : ask.form.fields.filter(({ name }) => name !== without).map((field, index) => fieldOf(field, `${mine}-${index}`, ask));
  const element = el('div', { class: 'fields' },
    alone?.title && el('p', { class: 'label' }, alone.title),
    alone?.help && el('p', { class: 'help' }, alone.help),
    fields.map((field) => field.element));

  if (draft) {
    const kept = draftOf(ask);
    for (const { field, fill } of fields) {
      if (Object.hasOwn(kept, field.name) && drafts(field)) fill(kept[field.name]);
    }
    const save = () => saveDraft(ask, valuesOf(fields.filter(({ field }) => drafts(field))));
    element.addEventListener('input', save);
    element.addEventListener('change', save);
  }

  /** Shows what is wrong with which field, and goes to the first. */
  function show(errors) {
    const rest = errors.filter(({ field: name, message }) => {
      const field = fields.find(({ field }) => field.name === name);
      field?.show(message);
      return !field;
    });
    fields.find((field) => field.element.classList.contains('wrong'))?.focus();
    return rest;
  }

  return {
    element, show,
    /** The field of this name, where the form has it. */
    field: (name) => fields.find(({ field }) => field.name === name),
    /** Fills in what was written elsewhere, where a draft may be. */
    take(values) {
      for (const { field, fill } of fields) if (Object.hasOwn(values, field.name) && drafts(field)) fill(values[field.name]);
      element.dispatchEvent(new Event('change'));
    },
    /** What is filled in and may be kept, by field. */
    kept: () => valuesOf(fields.filter(({ field }) => drafts(field))),
    /** Whether there is anything to fill in. */
    hasFields: fields.length > 0,
    /** What is filled in, or nothing where that cannot be sent yet. */
    content() {
      if (alone) return { [alone.name]: true };
      const wrong = fields.filter((field) => !field.check());
      wrong[0]?.focus();
      return wrong.length ? undefined : valuesOf(fields);
    },
    /** Forgets what must not stay on the page. */
    clear: () => fields.forEach((field) => field.clear?.()),
  };
}

function valuesOf(fields) {
  const values = fields.map(({ field, read }) => [field.name, read()]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
