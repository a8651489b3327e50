// Editing the text that an ask lets a person edit, to approve it so.

import { copyButton } from './copying.js';
import { button, el } from './dom.js';
import { changedLines } from './line_changes.js';
import { counted } from './texts.js';

/** A text to be edited, beginning with what was kept of it. `changed` is called as it is. */
export function editingOf({ editable }, kept, changed) {
  const { title, text } = editable;
  const input = el('textarea', { id: 'edited', spellcheck: 'true', dir: 'auto', 'aria-describedby': 'edited-how' });
  const how = el('p', { class: 'hint', id: 'edited-how', role: 'status' });
  const lines = el('div', {});
  const element = el('section', { class: 'editing', hidden: kept === undefined },
    el('label', { class: 'label', for: 'edited' }, title), input, how,
    el('p', { class: 'does' }, button('Take my edits back', { class: 'secondary', id: 'edit-back', onclick: takeBack }), copyButton(() => input.value)),
    lines);
  // A field has line ends of its own, which are no edit.
  input.value = text;
  const before = input.value;
  const hasOtherEnds = before !== text;
  input.value = kept ?? text;
  input.addEventListener('input', () => { show(); changed(); });
  show();

  function isEdited() {
    return input.value !== before;
  }

  function show() {
    const changes = isEdited() ? changedLines(before, input.value) : [];
    how.textContent = isEdited() ? `Edited: ${changes ? counted(changes.filter(({ k }) => k !== ' ').length, 'changed line') : 'much of it'}.` : 'As it was shown.';
    lines.replaceChildren(...(changes?.length ? [editLines(changes)] : []));
  }

  function takeBack() {
    input.value = text;
    element.hidden = true;
    show();
    changed();
  }

  return {
    element, isEdited, takeBack,
    /** The text as the person wants it; none where it is as it was. */
    value: () => (isEdited() ? (hasOtherEnds ? input.value.replaceAll('\n', '\r\n') : input.value) : undefined),
    open() {
      element.hidden = false;
      element.scrollIntoView({ block: 'start' });
      input.focus({ preventScroll: true });
    },
    take(text) {
      input.value = text;
      element.hidden = false;
      show();
      changed();
    },
  };
}

const NAMES = { '+': 'add', '-': 'del', ' ': 'same' };

/** Lines that were changed, as a small diff. */
export const editLines = (lines) => el('div', { class: 'edit-lines', role: 'group', 'aria-label': 'What was changed' },
  lines.map(({ k, text }) => el('div', { class: `row ${NAMES[k]}` }, el('span', { class: 'code', dir: 'auto' }, text))));
