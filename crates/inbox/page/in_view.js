// How long an ask has been in view: the whole of it, in a tab that is visible and has the focus.

const views = new Set();

/** Counts how long `element` is in view; `tell` is called when it begins, begins anew, or was `needed` ms. */
export function inView(element, needed, tell) {
  let since;
  let timer;
  let round = 0;

  /** Begins anew, once what is there now has been drawn. */
  function again() {
    clearTimeout(timer);
    since = undefined;
    const mine = ++round;
    tell();
    // Two frames: the first is asked for before the ask is on the page.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (mine !== round || !isDrawn(element) || document.hidden || !document.hasFocus()) return;
      since = performance.now();
      whenRead();
      tell();
    }));
  }

  // A timer may be a little early.
  function whenRead() {
    timer = setTimeout(() => (read() ? tell() : whenRead()), Math.max(needed - shownMs(), 1));
  }

  const shownMs = () => (since === undefined ? 0 : Math.floor(performance.now() - since));
  const read = () => since !== undefined && shownMs() >= needed;
  const view = { element, again };
  views.add(view);
  again();
  // It may come to the page only later, or be hidden there.
  new ResizeObserver(() => { if (isDrawn(element) === (since === undefined)) again(); }).observe(element);
  return {
    again, shownMs,
    /** Whether it is being looked at. */
    begun: () => since !== undefined,
    /** Whether it was in view for as long as it takes to read. */
    read,
  };
}

const isDrawn = (element) => element.getClientRects().length > 0;

function lookedAway() {
  for (const view of views) {
    if (view.element.isConnected) view.again();
    else views.delete(view);
  }
}

for (const type of ['focus', 'blur']) addEventListener(type, lookedAway);
document.addEventListener('visibilitychange', lookedAway);
