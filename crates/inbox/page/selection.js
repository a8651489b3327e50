// Asks picked in the list, to be decided together: only of one agent, workspace, tool and shape.

import { button, byId, el, say } from './dom.js';
import { counted } from './texts.js';

// What a person can look over at once; the server takes no more.
const MOST = 20;
const ALONE = 'This one is decided by itself: it is dangerous, long, or asks for something of its own.';
const OTHER = 'Only asks of one agent, workspace, tool and shape are decided together.';

const picked = new Map();
let changed = () => {};

/** Calls back when something else is picked. */
export function whenPicked(then) {
  changed = then;
}

/** The box of a row; none where it is decided by itself. */
export function boxOf(row) {
  if (!row.together) return el('span', { class: 'tick none', 'aria-hidden': 'true' });
  const box = el('input', { type: 'checkbox', 'aria-label': `Select: ${row.title}`, title: 'Select (x)', checked: picked.has(row.id) });
  box.addEventListener('change', () => pick(row));
  return el('label', { class: 'tick' }, box);
}

/** Picks a row, or lets go of it. */
export function pick(row) {
  const [first] = picked.values();
  if (picked.delete(row.id)) say(`No longer selected: ${row.title}`);
  else if (!row.together) say(ALONE);
  else if (first && first.together !== row.together) say(OTHER);
  else if (picked.size >= MOST) say(`At most ${MOST} asks are decided together.`);
  else picked.set(row.id, row);
  show();
}

/** Lets go of all. */
export function pickNone() {
  picked.clear();
  show();
}

/** The ids of what is picked. */
export const pickedIds = () => [...picked.keys()];

/** Picks again what was picked before, as far as it is still there. */
export function pickAgain(ids, rows) {
  for (const row of rows) if (ids.includes(row.id) && row.together) picked.set(row.id, row);
  show();
}

/** Lets go of what is no longer open. */
export function keepPicked(isOpen) {
  let gone = false;
  for (const id of picked.keys()) if (!isOpen(id)) gone = picked.delete(id) || gone;
  if (gone) show();
}

function show() {
  const [first] = picked.values();
  for (const box of document.querySelectorAll('#asks .tick input')) {
    const { row } = box.closest('li');
    box.checked = picked.has(row.id);
    box.setAttribute('aria-disabled', String(Boolean(first && first.together !== row.together)));
    box.closest('li').toggleAttribute('data-picked', box.checked);
  }
  const bar = byId('picked');
  bar.hidden = !first;
  if (first) byId('picked-words').textContent = `${counted(picked.size, 'ask')} of ${[first.agent, first.place].filter(Boolean).join(' in ')}`;
  changed();
}

/** The bar of what is picked; `decide(ids)` opens the window. */
export function bindPicked(decide) {
  byId('picked').append(
    button('Decide together…', { class: 'secondary small', id: 'picked-decide', onclick: () => decide(pickedIds()) }),
    button('Clear', { class: 'plain small', id: 'picked-none', onclick: pickNone }));
}
