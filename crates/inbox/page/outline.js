// The way through a long text: its headings and the files of its diffs, with where the reader is.

import { button, el } from './dom.js';
import { fileTree } from './file_tree.js';
import { scrollerOf } from './scroll.js';

// As wide as it must be for an outline beside the text.
const ROOMY = 860;
// Where it pays: a text with fewer is seen at once.
const FEW = 3;

/** The outline of an ask's text and diffs; none where there is little. `open(heading)` unfolds what hides one. */
export function outlineOf(ask, text, diffs, open) {
  const headings = (ask.outline ?? []).map((entry) => ({ ...entry, element: text.querySelector(`#${CSS.escape(entry.id)}`) })).filter(({ element }) => element);
  if (headings.length < FEW && diffs.files.length < 2) return undefined;
  const go = (element) => {
    open(element);
    element.scrollIntoView({ block: 'start' });
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
  };
  const top = Math.min(...headings.map(({ level }) => level));
  const links = headings.map(({ level, text: words, element }) => ({
    element, entry: button(words, { class: `plain level-${Math.min(level - top, 3)}`, dir: 'auto', onclick: () => go(element) }),
  }));
  const tree = diffs.files.length > 1 && fileTree(diffs.files, {
    go: (file) => { file.setOpen(true); go(file.element); },
    isViewed: diffs.isViewed, whenMarked: diffs.whenMarked,
  });
  const targets = [...links, ...(tree ? tree.entries.map(({ view, entry }) => ({ element: view.element, entry })) : [])];
  const box = el('details', { class: 'contents' }, el('summary', {}, 'Contents'),
    links.length > 0 && el('ol', { class: 'headings' }, links.map(({ entry }) => el('li', {}, entry))),
    tree && tree.element);
  const element = el('nav', { class: 'outline', 'aria-label': 'Contents' }, box);
  new ResizeObserver(([{ contentRect: { width } }]) => {
    const roomy = width >= ROOMY;
    if (element.parentElement.classList.contains('roomy') === roomy && element.dataset.laid) return;
    element.dataset.laid = 'true';
    element.parentElement.classList.toggle('roomy', roomy);
    box.open = roomy;
  }).observe(text.parentElement ?? text);
  requestAnimationFrame(() => follow(element, targets));
  return element;
}

/** Marks the last of the targets that has come to the upper part of the screen. */
function follow(element, targets) {
  if (!element.isConnected) return;
  const root = scrollerOf(element);
  const mark = () => {
    const line = root.getBoundingClientRect().top + root.clientHeight * 0.3;
    const drawn = targets.filter(({ element: target }) => target.getClientRects().length);
    const passed = drawn.filter(({ element: target }) => target.getBoundingClientRect().top < line);
    const here = passed.at(-1) ?? drawn[0];
    for (const { entry } of targets) entry.removeAttribute('aria-current');
    here?.entry.setAttribute('aria-current', 'location');
    keepInBox(here?.entry, element);
  };
  const observer = new IntersectionObserver(mark, { root, rootMargin: '0px 0px -70% 0px', threshold: [0, 1] });
  targets.forEach(({ element: target }) => observer.observe(target));
}

/** Scrolls a long outline, and nothing else, to where the reader is. */
function keepInBox(entry, box) {
  if (!entry || box.scrollHeight <= box.clientHeight) return;
  const [inside, outside] = [entry.getBoundingClientRect(), box.getBoundingClientRect()];
  if (inside.top < outside.top) box.scrollTop -= outside.top - inside.top;
  else if (inside.bottom > outside.bottom) box.scrollTop += inside.bottom - outside.bottom;
}
