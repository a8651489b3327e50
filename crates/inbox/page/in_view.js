// How long an ask has been in view: the whole of it, in a tab that is visible and has the focus.

const views = new Set();

/**
 * Counts how long `element` is in view, from when each of `marks` was: its first line and its last. `tell` is
 * called when that begins, begins anew, or was `needed` ms.
 */
export function inView(element, needed, tell, marks) {
  let since;
  let timer;
  let round = 0;
  let looking = false;
  const unseen = whenSeen(marks, begin);

  /** Begins anew, once what is there now has been drawn. What was seen to its end stays so. */
  function again() {
    clearTimeout(timer);
    since = undefined;
    looking = false;
    const mine = ++round;
    tell();
    // Two frames: the first is asked for before the ask is on the page.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (mine !== round) return;
      looking = isDrawn(element) && !document.hidden && document.hasFocus();
      begin();
    }));
  }

  function begin() {
    if (looking && !unseen() && since === undefined) {
      since = performance.now();
      whenRead();
    }
    tell();
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
  new ResizeObserver(() => { if (isDrawn(element) !== looking) again(); }).observe(element);
  return {
    again, shownMs,
    /** The first of the marks that was not on the screen yet. */
    unseen,
    /** Whether it is being looked at, and was seen from its first line to its last. */
    begun: () => since !== undefined,
    /** Whether it was in view for as long as it takes to read. */
    read,
  };
}

/** Watches these: gives the first that was not on the screen yet, and calls `tell` when one is. */
export function whenSeen(marks, tell) {
  const left = new Set(marks);
  const observer = new IntersectionObserver((entries) => {
    const met = entries.filter(({ isIntersecting }) => isIntersecting);
    for (const { target } of met) {
      left.delete(target);
      observer.unobserve(target);
    }
    if (met.length) tell();
  });
  marks.forEach((mark) => observer.observe(mark));
  return () => left.values().next().value;
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
