// The bar that is always in view: what is asked, how long there is, the comments, and how to end it.

import { button, el, menu, say } from './dom.js';
import { isSnoozed, snooze, wake } from './snooze.js';

/** The parts of the bar, given as elements; what comes and goes stands above the rest. */
export function actionBar(ask, { trouble, toRead, deadline, endings, comments, edit, no, hidden }) {
  const { title } = ask;
  const strips = el('div', { class: 'strips' });
  const quiet = el('div', { class: 'quiet' }, endings.stops, no, hidden && later());
  const main = el('div', { class: 'main' },
    el('div', { class: 'asked-for' }, el('span', { class: 'title', dir: 'auto', title }, title), deadline.shown),
    el('div', { class: 'says' }, edit, comments),
    endings.group, quiet);
  const element = el('div', { class: 'actions action-bar' }, trouble, toRead, deadline.offer, strips, endings.step, main);

  function later() {
    if (isSnoozed(ask.id)) return button('Wake', { class: 'plain', onclick: () => { wake(ask.id); hidden(); } });
    return menu('Later', [[10, '10 minutes'], [60, '1 hour']].map(([minutes, name]) => [`In ${name}`, () => {
      const rest = deadline.rest();
      snooze(ask.id, minutes, rest);
      say(rest < minutes * 60_000 ? 'Hidden; it comes back before its time is up.' : `Hidden for ${name}.`);
      hidden();
    }]), 'snoozing');
  }

  return {
    element,
    /** Shows a strip in place of everything that could be pressed. */
    put(strip) {
      strips.replaceChildren(strip);
      main.hidden = true;
      endings.step.inert = true;
    },
    /** And as it was. */
    restore() {
      strips.replaceChildren();
      main.hidden = false;
      endings.step.inert = false;
    },
    /** Shows what a step leaves to do. */
    stepping(open) {
      quiet.hidden = open;
    },
  };
}
