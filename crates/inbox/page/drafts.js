// Drafts: what a person has filled in, said and edited, and not sent. What decides is not saved, since it is never
// filled in for anyone, not even from a draft. Neither is a secret.

import { load, save, savedNames } from './storage.js';

const DAYS = 24 * 60 * 60 * 1000;

/** Whether a field's value may be saved in this browser. */
export const drafts = (field) => !field.decides && !['confirm', 'secret', 'link'].includes(field.kind);

/** Saves the values of an ask's fields. */
export const saveDraft = (ask, values) => save(`draft.${ask.id}`, { at: Date.now(), values });

/** Loads the values saved for an ask, by field. */
export const draftOf = (ask) => load(`draft.${ask.id}`)?.values ?? {};

/** Removes what was saved of an ask's fields. */
export const dropDraft = (id) => save(`draft.${id}`, undefined);

/** Saves the comments on an ask and its edited text, to be found again in the next round of the same thing. */
export function saveReview(ask, { comments, edited, values }) {
  const nothing = !comments.length && edited === undefined && !values;
  const thread = threadOf(ask);
  save(`review.${ask.id}`, nothing ? undefined : { at: Date.now(), thread, round: ask.round?.number, comments, edited, values });
}

/** Loads the comments and the edited text saved for an ask. */
export function reviewOf({ id }) {
  const kept = load(`review.${id}`) ?? {};
  return { ...kept, comments: Array.isArray(kept.comments) ? kept.comments : [] };
}

/** Removes them. */
export const dropReview = (id) => save(`review.${id}`, undefined);

/** What was written in an earlier round of the same thing and never sent, newest first. */
export function unsentBefore(ask) {
  const thread = threadOf(ask);
  if (!thread) return undefined;
  const names = savedNames('review.').filter((name) => name !== `review.${ask.id}`);
  const found = names.map((name) => ({ id: name.slice('review.'.length), ...load(name) }));
  return found.filter((one) => one.thread === thread && one.round < ask.round.number).sort((a, b) => b.at - a.at)[0];
}

/** One thing of one workspace, in all its rounds. */
const threadOf = ({ round, origin }) => (round ? `${origin.workspace ?? ''}\n${round.about}` : undefined);

/** Removes drafts and marks that nobody came back to. */
export function pruneDrafts() {
  for (const name of ['draft.', 'review.', 'viewed.'].flatMap(savedNames)) {
    if (!((load(name)?.at ?? 0) > Date.now() - 30 * DAYS)) save(name, undefined);
  }
}
