// One comment of a person: written, changed and deleted in place, until it is sent.

import { button, el } from './dom.js';

/** A comment in its box. `changed` is called as it is written, `deleted` when it is taken away. */
export function commentCard(comment, { changed, deleted }) {
  const said = el('div', { class: 'as-said' });
  const editor = el('div', { class: 'editor', hidden: true });
  const element = el('div', { class: 'comment', role: 'group', 'aria-label': `Comment on ${comment.words}`, tabindex: '-1' },
    el('p', { class: 'spot' }, comment.words), said, editor);
  let back;

  function show() {
    editor.hidden = true;
    said.hidden = false;
    said.replaceChildren(...[
      comment.text && el('p', { class: 'text', dir: 'auto' }, comment.text),
      comment.suggestion !== undefined && suggested(comment.suggestion),
      el('p', { class: 'does' }, small('Edit', edit), small('Delete', remove)),
    ].filter(Boolean));
  }

  function edit() {
    back = document.activeElement;
    const text = area(comment.text, 'Your comment', 'What should the agent know about this?', (value) => { comment.text = value; });
    const suggestion = el('div', {});
    const suggest = () => {
      comment.suggestion ??= comment.quote ?? '';
      const instead = area(comment.suggestion, 'Suggested instead', '', (value) => { comment.suggestion = value; });
      instead.classList.add('instead');
      suggestion.replaceChildren(el('p', { class: 'hint' }, 'Suggested instead'), instead,
        small('No suggestion', () => { comment.suggestion = undefined; changed(); offer(); text.focus(); }));
      changed();
      return instead;
    };
    const offer = () => suggestion.replaceChildren(...(comment.quote ? [small('Suggest a change', () => suggest().focus())] : []));
    if (comment.suggestion === undefined) offer();
    else suggest();
    said.hidden = true;
    editor.hidden = false;
    editor.replaceChildren(...[
      comment.quote && el('blockquote', { dir: 'auto' }, comment.quote),
      text, suggestion,
      el('p', { class: 'does' }, button('Done', { class: 'secondary', onclick: done }), small('Delete', remove),
        el('span', { class: 'hint' }, 'Kept in this browser until you send your answer.')),
    ].filter(Boolean));
    text.focus();
  }

  function area(value, label, placeholder, take) {
    const input = el('textarea', { rows: 2, 'aria-label': label, placeholder, dir: 'auto', maxlength: 10_000 });
    input.value = value;
    input.addEventListener('input', () => { take(input.value); changed(); });
    input.addEventListener('keydown', (event) => {
      const ends = event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey));
      if (!ends || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      done();
    });
    return input;
  }

  function done() {
    if (!says(comment)) return remove();
    show();
    changed();
    return leave();
  }

  function remove() {
    element.remove();
    deleted();
    leave();
  }

  function leave() {
    if (back?.isConnected && back !== document.body) back.focus({ preventScroll: true });
  }

  show();
  return { element, edit };
}

/** Whether a comment says anything yet. */
export const says = ({ text, suggestion, quote }) => text.trim() !== '' || (suggestion !== undefined && suggestion !== quote);

/** What somebody would write instead. */
export const suggested = (suggestion) => el('div', { class: 'suggested' }, el('span', { class: 'hint' }, 'Suggested instead'), el('pre', { dir: 'auto' }, suggestion));

const small = (label, act) => button(label, { class: 'plain small', onclick: act });
