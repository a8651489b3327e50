// How many permissions are remembered: shown wherever they are at work.

import { get } from './api.js';
import { byId } from './dom.js';
import { counted } from './texts.js';

/** Shows how many there are: in the bar, and above the list of asks. */
export function showRemembered(count) {
  const badge = byId('remembered-count');
  badge.textContent = count.toLocaleString();
  badge.hidden = count === 0;
  const line = byId('remembered-line');
  if (!line) return;
  line.hidden = count === 0;
  line.textContent = `${counted(count, 'permission')} remembered`;
}

/** Counts them, and shows it. */
export async function countRemembered() {
  showRemembered((await get('/api/remembered')).count);
}
