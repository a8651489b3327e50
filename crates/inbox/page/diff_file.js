// One file of a diff: its head, which stays in view, and its lines.

import { drawWhenNear, drawn, rowsOf } from './diff_lines.js';
import { button, el } from './dom.js';
import { counted } from './texts.js';

// Beyond so many lines the rest is drawn when it is asked for.
const LONG = 600;

const STATUS = { added: 'New', deleted: 'Deleted', renamed: 'Moved', copied: 'Copied', mode: 'Mode changed' };

/**
 * A file of a diff. `viewed` says whether it was marked so, and `marked(path, viewed)` is told; nothing is folded
 * where `whole` says that all is to be read. `cards(key)` gives the comments on a line.
 */
export function diffFile(file, { viewed, marked, whole, cards }) {
  const { path, from, status } = file;
  const name = el('span', { class: 'path', dir: 'ltr' }, from && el('span', { class: 'from' }, from, ' → '), path);
  const fold = button([el('span', { class: 'chevron', 'aria-hidden': 'true' }), name], { class: 'plain fold', onclick: () => setOpen(!open) });
  const mark = el('input', { type: 'checkbox', checked: viewed, 'aria-label': `Viewed: ${path}` });
  const head = el('div', { class: 'file-head' }, fold,
    STATUS[status] && el('span', { class: 'badge' }, STATUS[status]),
    file.generated && el('span', { class: 'badge' }, 'Generated'),
    file.binary && el('span', { class: 'badge' }, 'Binary'),
    countsOf(file),
    el('label', { class: 'viewed' }, mark, 'Viewed'));
  // What the head does not say is never folded: it may be the agent's own words.
  const notes = file.header.length > 0 && el('div', { class: 'file-notes', dir: 'ltr' }, file.header.map((line) => el('div', {}, line)));
  const body = el('div', { class: 'file-body' });
  const element = el('section', { class: 'diff-file', 'data-path': path, 'aria-label': path }, head, notes, body);
  let open = whole || !(viewed || file.generated || file.binary);
  let split = false;
  let all = whole;
  let lines;
  mark.addEventListener('change', () => {
    marked(path, mark.checked);
    setOpen(!mark.checked);
    if (mark.checked) element.scrollIntoView({ block: 'nearest' });
  });

  function setOpen(next) {
    open = next;
    show();
  }

  function show() {
    fold.setAttribute('aria-expanded', String(open));
    body.hidden = !open;
    if (open && !lines) draw();
  }

  function draw() {
    const rows = rowsOf(file, split);
    const shown = all ? rows : rows.slice(0, LONG);
    lines = drawn(shown, path, split, cards);
    body.replaceChildren(...lines.elements);
    body.classList.toggle('split', split);
    if (file.binary) body.append(el('p', { class: 'hint' }, 'A binary file: its content is not shown.'));
    else if (rows.length === 0) body.append(el('p', { class: 'hint' }, from ? 'Moved without a change.' : 'Nothing in it changes.'));
    if (shown.length < rows.length) body.append(button(`Show ${counted(rows.length - shown.length, 'more line')}`, { class: 'plain more', onclick: showAll }));
    drawWhenNear(body, lines);
  }

  function showAll() {
    all = true;
    draw();
  }

  show();
  return {
    element, file, setOpen,
    /** One below the other, or side by side. */
    lay(sideBySide) {
      split = sideBySide;
      lines = undefined;
      show();
    },
    /** Shows a line, and gives its row. */
    reveal(place) {
      setOpen(true);
      const row = lines.reveal(place);
      if (row || all) return row;
      showAll();
      return lines.reveal(place);
    },
  };
}

/** How many lines come and go. */
export const countsOf = ({ added, removed }) => el('span', { class: 'counts' },
  el('span', { class: 'plus' }, `+${added}`), ' ', el('span', { class: 'minus' }, `−${removed}`));
