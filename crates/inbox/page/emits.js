// What a run emits: lines, artifacts and toasts.

import { download } from './api.js';
import { ago } from './clock.js';
import { byId, button, el, markup } from './dom.js';
import { attempt } from './gate.js';
import { bytes } from './file.js';

const STAYS_MS = 6000;

/** A line, or something made. */
export function itemOf(run, item) {
  return item.kind === 'artifact' ? artifact(run, item) : line(item);
}

function line({ kind, level, tone, text, data, at }) {
  return el('li', { class: `line ${kind}`, 'data-tone': level ?? tone },
    el('span', { class: 'level' }, level ?? tone),
    el('span', { class: 'text' }, text),
    data && el('pre', {}, el('code', {}, data)),
    at && ago(at));
}

/** Something made: text, sanitized HTML, or a picture from an address of the page's own. */
function artifact(run, { n, type, title, html, text, code, image, size }) {
  const place = `/api/scripts/runs/${encodeURIComponent(run)}/artifacts/${n}`;
  const name = title ?? 'Untitled';
  return el('figure', { class: 'artifact', 'data-type': type },
    el('figcaption', {}, el('strong', {}, name),
      el('span', { class: 'hint' }, `${type}, ${bytes(size)}`),
      button('Save', { class: 'plain small', 'aria-label': `Save ${name}`, onclick: () => attempt(() => save(`${place}?save=true`)) })),
    image && picture(place, name),
    html && markup(html, 'details bare'),
    code && el('pre', { class: 'code', role: 'img', 'aria-label': 'QR code of the text below' }, code),
    text && el('pre', {}, el('code', {}, text)),
    !image && !html && !text && el('p', { class: 'hint' }, type === 'image' ? 'This image cannot be shown.' : 'Too long to show here: save it.'));
}

/** A picture. The page gives it to nobody who does not show the token, which an address cannot. */
function picture(place, alt) {
  const image = el('img', { alt });
  attempt(async () => {
    image.src = URL.createObjectURL(await (await download(place)).blob());
    image.onload = () => URL.revokeObjectURL(image.src);
  });
  return image;
}

/** Saves something under the name that the server gives it. */
async function save(place) {
  const response = await download(place);
  const name = response.headers.get('content-disposition')?.match(/filename="([^"]*)"/)?.[1];
  const href = URL.createObjectURL(await response.blob());
  el('a', { href, download: name ?? 'artifact' }).click();
  setTimeout(() => URL.revokeObjectURL(href), STAYS_MS);
}

/** A message that disappears by itself; it stays in the list of what the run emitted. */
export function toast({ text, tone }) {
  const away = () => shown.remove();
  const shown = el('div', { class: 'passing', 'data-tone': tone }, el('span', {}, text),
    button('×', { class: 'plain', 'aria-label': 'Close', onclick: away }));
  byId('toasts').append(shown);
  setTimeout(away, STAYS_MS);
}
