// A form whose ask has ended: what was filled in stays where it is and can be read and copied, no more.

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
  // Leaving and copying stay possible.
  const leaves = event.key === 'Tab' || event.key === 'Escape';
  const copies = (event.ctrlKey || event.metaKey) && event.key !== 'Enter';
  if (event.type.startsWith('key') && (leaves || copies)) return;
  event.preventDefault();
  event.stopPropagation();
}
