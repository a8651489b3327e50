// The box that scrolls what is in it.

// A little of what was read stays in view.
const PART_OF_A_PAGE = 0.8;

/** The box that scrolls this element. */
export function scrollerOf(element) {
  for (let box = element.parentElement; box; box = box.parentElement) {
    if (getComputedStyle(box).overflowY === 'auto') return box;
  }
  return document.scrollingElement;
}

/** Scrolls on by a page. */
export function scrollOn(element) {
  const scroller = scrollerOf(element);
  scroller.scrollBy({ top: scroller.clientHeight * PART_OF_A_PAGE });
}
