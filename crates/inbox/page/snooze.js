// Asks put out of sight for a while; they come back by themselves. Only this browser knows.

import { load, save } from './storage.js';

let timer;
let woken = () => {};

/** Calls back whenever an ask comes back. */
export function whenWoken(then) {
  woken = then;
  plan();
}

const MINUTE = 60_000;

/** Puts an ask out of sight for so many minutes, but never for as long as it has left. */
export function snooze(id, minutes, left = Infinity) {
  const rest = Math.min(minutes * MINUTE, left - Math.min(MINUTE, left / 2));
  save('snoozed', { ...all(), [id]: Date.now() + rest });
  plan();
}

/** Brings an ask back. */
export function wake(id) {
  const { [id]: _, ...rest } = all();
  save('snoozed', rest);
  plan();
}

/** Whether an ask is out of sight now. */
export const isSnoozed = (id) => (all()[id] ?? 0) > Date.now();

function all() {
  const snoozed = load('snoozed');
  return snoozed && typeof snoozed === 'object' ? snoozed : {};
}

function plan() {
  clearTimeout(timer);
  const times = Object.entries(all());
  const due = times.filter(([, until]) => until <= Date.now());
  if (due.length) {
    save('snoozed', Object.fromEntries(times.filter(([, until]) => until > Date.now())));
    woken();
  }
  const next = Math.min(...times.map(([, until]) => until).filter((until) => until > Date.now()));
  if (Number.isFinite(next)) timer = setTimeout(plan, Math.min(next - Date.now() + 50, 3_600_000));
}
