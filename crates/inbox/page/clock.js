// Relative times, kept up to date: how long ago, how long left.

import { el } from './dom.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let skew = 0;

/** The server's time, which deadlines are counted by. */
export const now = () => Date.now() + skew;

/** Sets the clock by the server's. */
export function setClock(time) {
  const server = Date.parse(time);
  if (!Number.isNaN(server)) skew = server - Date.now();
}

/** How long ago, and going on. */
export const ago = (at) => running('ago', at);

/** How long left, and counting down. */
export const left = (at) => running('left', at);

function running(kind, at) {
  const time = el('time', { datetime: at, [`data-${kind}`]: true, title: moment(at) });
  update(time);
  return time;
}

function update(time) {
  const at = Date.parse(time.dateTime);
  const rest = at - now();
  const text = 'ago' in time.dataset ? since(-rest) : until(rest);
  if (time.textContent !== text) time.textContent = text;
  if ('left' in time.dataset) time.classList.toggle('soon', rest < MINUTE);
  return Math.abs(rest);
}

function since(ms) {
  if (ms < 5 * SECOND) return 'just now';
  return `${long(ms)} ago`;
}

function until(ms) {
  if (ms <= 0) return 'time is up';
  if (ms >= HOUR) return `${long(ms)} left`;
  const seconds = Math.floor(ms / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
}

/** A length of time in one unit, rounded down, as the terminal and the record say it. */
export function long(ms) {
  if (ms >= 1 && ms < SECOND) return `${Math.floor(ms)} ms`;
  if (ms < 2 * MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))} s`;
  if (ms < 2 * HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/** A moment by the clock on the wall, as the terminal and the record write it: 2026-11-01 09:00:12. */
export function moment(time) {
  const at = new Date(time);
  const two = (number) => String(number).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
}

// Seconds tick only while something on the page shows seconds, and never where nobody looks.
let timer;

function tick() {
  clearTimeout(timer);
  if (document.hidden) return;
  let nearest = Infinity;
  for (const time of document.querySelectorAll('time[data-ago], time[data-left]')) {
    const rest = update(time);
    if ('left' in time.dataset || rest < MINUTE) nearest = Math.min(nearest, rest);
  }
  timer = setTimeout(tick, nearest < HOUR ? SECOND : 20 * SECOND);
}

/** Keeps all times on the page right; call again when new ones come. */
export function keepTime() {
  clearTimeout(timer);
  timer = setTimeout(tick, SECOND);
}

document.addEventListener('visibilitychange', tick);
