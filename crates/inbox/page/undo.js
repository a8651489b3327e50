// Undo: a reply is held back for a moment, and then sent. What was sent is decided and never taken back.

import { button, el, say } from './dom.js';
import { SETTLE_MS, setReady, whenPressed } from './press.js';

const HELD_MS = 5000;
// What a browser still sends of a page that is being left.
export const MOST_ON_LEAVING = 60_000;

/**
 * Holds a reply back, said in `words`, in a strip with a way back. `send(leaving)` is called once it goes, at the
 * latest when `element` leaves the page or the tab is left; `undone` where the person takes it back; neither once
 * `over` says that the ask has ended.
 */
export function holdBack(words, { element, send, undone, over }) {
  const rest = el('span', { class: 'rest' });
  const undo = button('Undo', { class: 'secondary', id: 'undo', 'aria-disabled': 'true' });
  const now = button('Send now', { class: 'plain', id: 'send-now', 'aria-disabled': 'true' });
  const strip = el('div', { class: 'undo', role: 'group', 'aria-label': 'Not sent yet' },
    el('p', {}, el('strong', {}, words), ' ', rest), undo, now);
  const until = performance.now() + HELD_MS;
  const done = new AbortController();
  const { signal } = done;
  const end = (then) => {
    if (signal.aborted) return;
    done.abort();
    clearInterval(ticking);
    strip.remove();
    then?.();
  };
  const ticking = setInterval(tick, 250);
  tick();
  setTimeout(() => [undo, now].forEach((one) => setReady(one, true)), SETTLE_MS);
  whenPressed(undo, () => end(undone));
  whenPressed(now, () => end(() => send(false)));
  document.addEventListener('visibilitychange', () => { if (document.hidden) end(() => send(true)); }, { signal });
  addEventListener('pagehide', () => end(() => send(true)), { signal });
  over.addEventListener('abort', () => end(), { signal });
  say(`${words}. It is sent in five seconds. Undo takes it back.`);

  function tick() {
    const left = until - performance.now();
    rest.textContent = `Sent in ${Math.max(1, Math.ceil(left / 1000))} s`;
    if (left <= 0 || (left < HELD_MS - 500 && !element.isConnected)) end(() => send(false));
  }

  return { strip, focus: () => undo.focus() };
}
