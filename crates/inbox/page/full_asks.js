// Asks as they are shown, each read when it is opened. A few are kept, for going back and forth.

import { get } from './api.js';

const MOST = 12;
const kept = new Map();

/** The ask of this id, whole. */
export async function fullAsk(id) {
  const known = kept.get(id);
  if (known) return known;
  const ask = await get(`/api/asks/${encodeURIComponent(id)}`);
  if (kept.size >= MOST) kept.delete(kept.keys().next().value);
  kept.set(id, ask);
  return ask;
}

/** What is kept of an ask, or of all, is old. */
export function forget(id) {
  if (id === undefined) kept.clear();
  else kept.delete(id);
}
