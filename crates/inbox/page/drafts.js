// What a person has filled in and not sent. What decides is not kept: it is never filled in for
// anyone, not even from before. Neither is a secret.

import { keep, kept, keptNames } from './storage.js';

const DAYS = 24 * 60 * 60 * 1000;

/** Whether a field's value may wait in this browser. */
export const drafts = (field) => !field.decides && !['confirm', 'secret', 'link'].includes(field.kind);

/** Keeps the values of an ask's fields. */
export const saveDraft = (ask, values) => keep(`draft.${ask.id}`, { at: Date.now(), values });

/** The values kept for an ask, by field. */
export const draftOf = (ask) => kept(`draft.${ask.id}`)?.values ?? {};

/** Forgets what was kept for an ask. */
export const dropDraft = (id) => keep(`draft.${id}`, undefined);

/** Forgets what nobody came back to. */
export function pruneDrafts() {
  for (const name of keptNames('draft.')) {
    if (!((kept(name)?.at ?? 0) > Date.now() - 30 * DAYS)) keep(name, undefined);
  }
}
