// The time that is left: kept going while a person is at the ask, and offered when it runs out.

import { post } from './api.js';
import { left, now } from './clock.js';
import { button, el, say } from './dom.js';

const MINUTE = 60_000;
const LOW = 3 * MINUTE;
const LOOK_MS = 1000;
// Between two requests that say the same.
const PAUSE_MS = 20_000;
const SIGNS = ['input', 'keydown', 'pointerdown', 'wheel', 'scroll', 'touchmove'];

/** The deadline of an ask, with more time for whoever is at `element`. `moved(deadline)` and `failed(words)` are told. */
export function deadlineOf(ask, element, { moved, failed, over }) {
  const shown = el('span', { class: 'left' });
  const offer = el('div', { class: 'offer', role: 'alert', hidden: true });
  let deadline;
  let active = false;
  let asked = -PAUSE_MS;
  set(ask.deadlineAt);
  const watching = { capture: true, passive: true, signal: over };
  const seen = ({ target }) => { if (target === document || target.contains?.(element) || element.contains(target)) active = true; };
  for (const sign of SIGNS) addEventListener(sign, seen, watching);
  const looking = setInterval(look, LOOK_MS);
  over.addEventListener('abort', () => {
    clearInterval(looking);
    offer.hidden = true;
  });

  function set(next) {
    deadline = next ? Date.parse(next) : undefined;
    shown.replaceChildren(...(next ? [left(next)] : []));
    if (!deadline || deadline - now() > MINUTE) offer.hidden = true;
  }

  function look() {
    if (!element.isConnected) {
      clearInterval(looking);
      return;
    }
    if (!deadline) return;
    const rest = deadline - now();
    const low = Math.min(LOW, (deadline - Date.parse(ask.openedAt)) / 2);
    if (rest > 0 && rest < low && active && !document.hidden && performance.now() - asked > PAUSE_MS) {
      active = false;
      asked = performance.now();
      // Where it cannot be moved on by itself there is the offer.
      more({ active: true }).catch(() => {});
    }
    if (rest > 0 && rest < MINUTE && offer.hidden) propose();
  }

  function propose() {
    offer.replaceChildren(el('span', {}, 'Less than a minute left.'),
      button('Keep it open', { class: 'secondary', id: 'keep-open', onclick: () => more({ minutes: 15 }).then(
        () => say('Kept open for 15 more minutes.'), (refused) => failed(refused.message)) }));
    offer.hidden = false;
  }

  async function more(wanted) {
    const { deadlineAt } = await post(`/api/asks/${ask.id}/extend`, wanted);
    set(deadlineAt);
    moved(deadlineAt);
  }

  return {
    shown, offer, set, more,
    /** How long there is left; for ever where there is no deadline. */
    rest: () => (deadline ? deadline - now() : Infinity),
  };
}
