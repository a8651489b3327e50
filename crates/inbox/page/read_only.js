// A form whose ask has ended: what was filled in stays where it is and can be read and copied, no more.

import { scrollerOf } from './scroll.js';

const TEXTS = 'textarea, input:not([type="checkbox"], [type="radio"], [type="file"])';

/** Makes a form readable only, without moving the focus. */
export function makeReadOnly(form) {
  for (const control of form.querySelectorAll('input, textarea, button, summary')) {
    if (control.matches(TEXTS)) control.readOnly = true;
    else control.setAttribute('aria-disabled', 'true');
  }
  for (const type of ['click', 'keydown', 'keyup', 'beforeinput', 'input', 'change', 'paste', 'drop', 'dragover']) {
    form.addEventListener(type, refuse, { capture: true });
  }
}

function refuse(event) {
  // What happened stands among the fields, and leads on.
  if (event.target.closest('.happened')) return;
  // Leaving and copying stay possible.
  const leaves = event.key === 'Tab' || event.key === 'Escape';
  const copies = (event.ctrlKey || event.metaKey) && event.key !== 'Enter';
  if (event.type.startsWith('key') && (leaves || copies)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Changes what is above a control, and scrolls so that the control stays where it is on the screen. */
export function keepInPlace(control, change) {
  const place = () => control.getBoundingClientRect().top;
  const before = place();
  const scroller = scrollerOf(control);
  const correct = () => { scroller.scrollTop += place() - before; };
  change();
  correct();
  // The browser may have scrolled for the same reason.
  requestAnimationFrame(correct);
}
