// Notifications for people who look elsewhere, and the number in the title.

import { byId } from './dom.js';
import { gist } from './ask_list.js';

const can = 'Notification' in self;

/** Shows the button that asks the browser for leave, where it has not been asked. */
export function offerNotifications() {
  const ask = byId('notify');
  ask.hidden = !can || Notification.permission !== 'default';
  ask.onclick = async () => {
    await Notification.requestPermission();
    ask.hidden = Notification.permission !== 'default';
  };
}

/** Tells of a new ask, if nobody looks at the page. */
export function notify(ask, open) {
  if (!can || Notification.permission !== 'granted' || !document.hidden) return;
  const who = [ask.agent, ask.place].filter(Boolean).join(' · ');
  const note = new Notification(`${who}${ask.dangerous ? ' (dangerous)' : ''}`, { body: gist(ask), tag: ask.id, icon: '/assets/icon.svg' });
  note.onclick = () => {
    focus();
    note.close();
    open(ask.id);
  };
}

/** Shows how many are open: in the title, on the icon, in the bar. */
export function badge(count) {
  document.title = count ? `(${count}) Holdpoint` : 'Holdpoint';
  document.querySelector('link[rel="icon"]').href = count ? '/assets/icon-waiting.svg' : '/assets/icon.svg';
  const shown = byId('count');
  shown.textContent = count.toLocaleString();
  shown.hidden = count === 0;
}
