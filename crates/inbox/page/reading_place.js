// Where in a long ask the reader was, for as long as the tab is open.

import { scrollerOf } from './scroll.js';

const MARKS = '[data-line]:not(.diff), .diff-file, .last-line';

const PAUSE_MS = 200;

/** Keeps the place in `element`, and goes back to the one that was kept. */
export function keepReadingPlace(id, element, over) {
  const name = `holdpoint.place.${id}`;
  const kept = read(name);
  // After two frames: its beginning was drawn, as it was when the reader left it, and the page has scrolled to it.
  requestAnimationFrame(() => requestAnimationFrame(() => {
    if (!element.isConnected || over.aborted) return;
    const scroller = scrollerOf(element);
    const marks = () => [...element.querySelectorAll(MARKS)].filter((mark) => mark.getClientRects().length);
    const top = () => scroller.getBoundingClientRect().top;
    const mark = kept && marks()[kept.at];
    if (mark) scroller.scrollTop += mark.getBoundingClientRect().top - top() - kept.offset;
    const keep = () => {
      due = undefined;
      if (!element.isConnected) return;
      const all = marks();
      const at = all.findIndex((one) => one.getBoundingClientRect().bottom > top());
      if (scroller.scrollTop < 40) sessionStorage.removeItem(name);
      else if (at >= 0) sessionStorage.setItem(name, JSON.stringify({ at, offset: all[at].getBoundingClientRect().top - top() }));
    };
    let due;
    scroller.addEventListener('scroll', () => { due ??= setTimeout(keep, PAUSE_MS); }, { passive: true, signal: over });
    addEventListener('pagehide', keep, { signal: over });
  }));
}

function read(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name)) ?? undefined;
  } catch {
    return undefined;
  }
}
