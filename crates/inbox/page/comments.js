// The comments on an ask that are not sent yet: each at its place, and all of them in a list.

import { commentCard, says } from './comment_card.js';
import { button, el } from './dom.js';
import { WHOLE } from './places.js';
import { counted } from './texts.js';

/**
 * The comments of a person on an ask, beginning with those that were kept. `changed` is called whenever one is,
 * and `reveal(key)` gives the element below which a comment on that place is shown. With `quiet` nothing is shown while
 * there are none.
 */
export function commentsOn(kept, { changed, reveal, quiet = false }) {
  const all = [];
  const entries = el('ol', { class: 'all' });
  const heading = el('h3', {}, 'Your comments');
  const nothing = el('p', { class: 'hint' }, 'None yet. Point at a line or a paragraph, or select text, and press ', el('kbd', {}, 'c'), '.');
  const whole = el('div', { class: 'whole' });
  const element = el('section', { class: 'comments', 'aria-label': 'Your comments', tabindex: '-1' },
    heading, nothing, entries, whole,
    button('Comment on the whole', { class: 'plain small', id: 'comment-whole', onclick: () => add(WHOLE) }));
  kept.forEach((comment) => keep({ ...comment }));
  show();

  function keep(comment) {
    const card = commentCard(comment, {
      changed: show,
      deleted: () => {
        all.splice(all.findIndex((one) => one.comment === comment), 1);
        show();
      },
    });
    all.push({ comment, card });
    if (comment.key === '') whole.append(card.element);
    return card;
  }

  /** Begins a comment on a place, or goes on with the one that is there. */
  function add({ key, where, quote, words, host }) {
    const same = all.find(({ comment }) => comment.key === key && comment.quote === quote);
    if (same) {
      show();
      same.card.edit();
      return;
    }
    const card = keep({ key, where, quote, words, text: '' });
    if (key !== '') host.after(card.element);
    show();
    card.edit();
    card.element.scrollIntoView({ block: 'nearest' });
  }

  function show() {
    const said = all.filter(({ comment }) => says(comment));
    nothing.hidden = all.length > 0;
    element.hidden = quiet && all.length === 0;
    heading.textContent = said.length ? `Your comments (${said.length})` : 'Your comments';
    entries.replaceChildren(...said.filter(({ comment }) => comment.key !== '').map(({ comment, card }) => el('li', {},
      button(comment.words, { class: 'plain small jump', onclick: () => goTo(comment, card) }),
      el('span', { class: 'gist', dir: 'auto' }, comment.text.trim() || `Suggested instead: ${comment.suggestion}`))));
    changed();
  }

  function goTo(comment, card) {
    if (!card.element.isConnected) reveal(comment.key)?.after(card.element);
    if (!card.element.isConnected) element.append(card.element);
    card.element.scrollIntoView({ block: 'center' });
    card.element.focus({ preventScroll: true });
  }

  return {
    element, add,
    /** The boxes of the comments on a place. */
    at: (key) => all.filter(({ comment }) => comment.key === key).map(({ card }) => card.element),
    /** Every box. */
    cards: () => all.map(({ card }) => card.element),
    /** Takes these in besides. */
    take(comments) {
      comments.forEach((comment) => {
        const card = keep({ ...comment });
        if (comment.key !== '') (reveal(comment.key) ?? entries).after(card.element);
      });
      show();
    },
    count: () => all.filter(({ comment }) => says(comment)).length,
    words() {
      const count = this.count();
      return count ? counted(count, 'comment') : 'Comment';
    },
    /** All as they are kept in this browser. */
    kept: () => all.filter(({ comment }) => says(comment)).map(({ comment }) => comment),
    /** All as they are sent. */
    sent: () => all.filter(({ comment }) => says(comment)).map(({ comment: { where, quote, text, suggestion } }) =>
      ({ where, text: text.trim(), ...(quote && { quote }), ...(suggestion !== undefined && suggestion !== quote && { suggestion }) })),
  };
}
