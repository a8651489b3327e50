// What an ask shows: its text with sections that fold, code that can be copied, and its diffs.

import { copyButton } from './copying.js';
import { diffsIn } from './diff.js';
import { button, el, markup } from './dom.js';
import { lineOfKey, placeAt } from './places.js';

const HEADINGS = 'h1, h2, h3, h4, h5, h6';

/** The message and details of an ask. `cards(key)` gives what stands below a place. */
export function shownText(ask, cards = () => []) {
  const parts = [markup(ask.message, 'message'), ask.details && markup(ask.details, 'details')].filter(Boolean);
  const element = el('div', { class: 'shown' }, parts);
  const folds = new Map();
  for (const part of parts) {
    for (const block of part.children) block.dir = 'auto';
    for (const heading of part.querySelectorAll(`:scope > :is(${HEADINGS})`)) folds.set(heading, folding(heading));
    for (const code of part.querySelectorAll('pre')) code.append(copyButton(() => code.querySelector('code')?.textContent ?? code.textContent));
  }
  const diffs = diffsIn(element, ask, cards);

  /** Unfolds the sections that hide an element. */
  function open(target) {
    for (const [heading, { inside, set }] of folds) {
      if (heading !== target && inside().some((one) => one.contains(target))) set(true);
    }
  }

  return {
    element, diffs, open,
    /** Shows a place, and gives the element below which a comment on it stands. */
    reveal(key) {
      const [kind, place] = [key[0], key.slice(2)];
      if (kind === 'f') return diffs.reveal(lineOfKey(place));
      const part = element.querySelector(kind === 'd' ? '.details' : '.message');
      const block = part?.querySelector(`[data-line="${CSS.escape(place)}"]`);
      if (!block) return undefined;
      open(block);
      return placeAt(block).host;
    },
  };
}

/** Lets a section fold away under its heading. What is folded is still what is asked. */
function folding(heading) {
  const level = Number(heading.tagName[1]);
  const toggle = button('', { class: 'fold-section', 'aria-expanded': 'true', 'aria-label': `Section: ${heading.textContent}`, title: 'Fold or unfold this section' });
  const inside = () => {
    const found = [];
    for (let next = heading.nextElementSibling; next; next = next.nextElementSibling) {
      if (next.matches(HEADINGS) && Number(next.tagName[1]) <= level) break;
      found.push(next);
    }
    return found;
  };
  const set = (open) => {
    toggle.setAttribute('aria-expanded', String(open));
    for (const one of inside()) {
      one.hidden = !open;
      if (open) one.querySelector(':scope > .fold-section')?.setAttribute('aria-expanded', 'true');
    }
  };
  toggle.addEventListener('click', () => set(toggle.getAttribute('aria-expanded') !== 'true'));
  heading.prepend(toggle);
  return { inside, set };
}
