// Drafts: what a person has filled in and not sent. What decides is not saved, since it is never filled
// in for anyone, not even from a draft. Neither is a secret.

import { load, save, savedNames } from './storage.js';

const DAYS = 24 * 60 * 60 * 1000;

/** Whether a field's value may be saved in this browser. */
export const drafts = (field) => !field.decides && !['confirm', 'secret', 'link'].includes(field.kind);

/** Saves the values of an ask's fields. */
export const saveDraft = (ask, values) => save(`draft.${ask.id}`, { at: Date.now(), values });

/** Loads the values saved for an ask, by field. */
export const draftOf = (ask) => load(`draft.${ask.id}`)?.values ?? {};

/** Removes what was saved for an ask. */
export const dropDraft = (id) => save(`draft.${id}`, undefined);

/** Removes drafts that nobody came back to. */
export function pruneDrafts() {
  for (const name of savedNames('draft.')) {
    if (!((load(name)?.at ?? 0) > Date.now() - 30 * DAYS)) save(name, undefined);
  }
}
