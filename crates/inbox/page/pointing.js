// Pointing at a place to comment on it: by hovering, by the focus, by selecting text, and by keys.

import { button } from './dom.js';
import { BLOCKS, WHOLE, placeAt, selectedIn } from './places.js';

const STOPS = '.message [data-line]:not(.diff), .details [data-line]:not(.diff), .row.stop [data-place], .row.stop[data-place]';

/** Lets a person point at places of `text`; `add` begins a comment on one. */
export function pointing(text, add) {
  // Its words are its name alone, so that they are no part of what is quoted.
  const here = button('', { class: 'comment-here', 'aria-label': 'Comment on this', title: 'Comment on this (c)' });
  let at;
  here.addEventListener('pointerdown', (event) => event.preventDefault());
  here.addEventListener('click', () => begin());
  text.addEventListener('pointerover', ({ target }) => { if (target !== here) point(target); });
  text.addEventListener('focusin', ({ target }) => { if (target !== here && !target.closest('.comment, .file-head')) point(target); });
  text.addEventListener('pointerleave', () => { if (document.activeElement !== here) here.remove(); });
  text.addEventListener('keydown', (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || !event.target.matches('[data-place]')) return;
    event.preventDefault();
    const lines = [...event.target.closest('[data-path]').querySelectorAll('[data-place]')];
    focusOn(lines[lines.indexOf(event.target) + by]);
  });

  function point(target) {
    if (target.closest('.comment')) return;
    const block = target.closest?.(BLOCKS);
    if (!block || block === at && here.isConnected) return;
    at = block;
    (block.matches('tr') ? block.lastElementChild : block).append(here);
  }

  function begin() {
    const place = selectedIn(text) ?? (at?.isConnected ? placeAt(at) : undefined) ?? WHOLE;
    here.remove();
    add(place);
  }

  function focusOn(block) {
    if (!block) return;
    block.tabIndex = -1;
    block.focus({ preventScroll: true });
    block.scrollIntoView({ block: 'nearest' });
  }

  return {
    /** The key for a comment: on what is selected, has the focus or is pointed at; else on the whole. */
    begin() {
      const focused = document.activeElement;
      if (text.contains(focused) && placeAt(focused)) at = focused.closest(BLOCKS);
      else if (!here.isConnected) at = undefined;
      begin();
    },
    /** The keys that go to the next or the last paragraph, heading or hunk. */
    step(by) {
      const stops = [...text.querySelectorAll(STOPS)].filter((one) => one.getClientRects().length);
      const focused = document.activeElement;
      const from = stops.indexOf(focused);
      if (from >= 0) return focusOn(stops[from + by]);
      const after = stops.findIndex((one) => one.getBoundingClientRect().top > 100);
      return focusOn(stops[by > 0 ? after : Math.max(after, 1) - 1]);
    },
  };
}
