// Presses that count: begun while the button was ready, and held where a moment's press is too little.

import { el } from './dom.js';

const HOLD_MS = 1000;
const PRESSING = ['Enter', ' '];

/** Shows whether a button can be pressed. Unlike one that is disabled, it stays where it is in the order of focus. */
export function setReady(button, ready) {
  button.setAttribute('aria-disabled', String(!ready));
}

/** Whether a button can be pressed. */
export const isReady = (button) => button.getAttribute('aria-disabled') !== 'true';

// A click meant for what was here before must not end what has just come, not even with a no.
export const SETTLE_MS = 400;

// How many presses of a pointer have begun: what is known of one says nothing of the next.
let presses = 0;
document.addEventListener('pointerdown', ({ isPrimary }) => { if (isPrimary) presses += 1; }, { capture: true });

/**
 * Calls `act` for a press that began while the button was ready, and stayed on it: a key or a finger that was
 * down before is none. What assistive technology clicks has no press before it, and counts.
 */
export function whenPressed(button, act) {
  let press;
  const begin = (good, byPointer) => { press = { number: presses, good, down: byPointer }; };
  const spoil = () => { if (press) press.good = false; };
  button.addEventListener('pointerdown', ({ isPrimary }) => begin(isPrimary && isReady(button), true));
  button.addEventListener('pointerup', () => { if (press) press.down = false; });
  button.addEventListener('keydown', (event) => {
    if (!PRESSING.includes(event.key)) return;
    if (event.repeat) event.preventDefault();
    else begin(isReady(button), false);
  });
  // A finger leaves after every tap, before the click.
  button.addEventListener('pointerleave', () => { if (press?.down) spoil(); });
  for (const type of ['blur', 'pointercancel']) button.addEventListener(type, spoil);
  button.addEventListener('click', () => {
    const counts = press?.number === presses ? press.good : true;
    press = undefined;
    if (counts && isReady(button)) act();
  });
}

/**
 * Calls `act` once the button was held for a second, by pointer or key, while that is `needed`. `may` is asked
 * as it begins, and `early` is called where it was let go too soon.
 */
export function whenHeld(button, { needed, may, act, early }) {
  const bar = el('span', { class: 'held', 'aria-hidden': 'true' });
  button.append(bar);
  button.classList.add('holds');
  let holding;
  let clickFollows = false;

  function begin(event) {
    if (holding || !isReady(button) || !needed()) return;
    if (!may()) {
      // What is missing has the focus now, and keeps it.
      event.preventDefault();
      return;
    }
    const fill = bar.animate([{ transform: 'scaleX(0)' }, { transform: 'scaleX(1)' }], { duration: HOLD_MS, fill: 'forwards' });
    holding = { fill, timer: setTimeout(done, HOLD_MS) };
  }

  function stop() {
    if (!holding) return false;
    clearTimeout(holding.timer);
    holding.fill.cancel();
    holding = undefined;
    return true;
  }

  function done() {
    if (!stop()) return;
    clickFollows = true;
    if (isReady(button)) act();
  }

  button.addEventListener('pointerdown', (event) => {
    clickFollows = false;
    if (event.button === 0 && event.isPrimary) begin(event);
  });
  button.addEventListener('pointerup', () => {
    if (!stop()) return;
    clickFollows = true;
    early();
  });
  for (const type of ['pointerleave', 'pointercancel', 'blur']) button.addEventListener(type, stop);
  button.addEventListener('contextmenu', (event) => event.preventDefault());
  button.addEventListener('keydown', (event) => {
    if (!PRESSING.includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    clickFollows = false;
    if (!event.repeat) begin(event);
    if (holding || event.repeat) event.preventDefault();
  });
  button.addEventListener('keyup', (event) => {
    if (!PRESSING.includes(event.key) || !stop()) return;
    event.preventDefault();
    early();
  });
  // A click follows every press of a pointer: it means no more than the press did.
  button.addEventListener('click', (event) => {
    if (!clickFollows) return;
    clickFollows = false;
    event.stopImmediatePropagation();
  }, { capture: true });
  addEventListener('blur', stop);
}
