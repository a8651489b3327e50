// The lines of a file in a diff, one below the other or side by side, drawn as they come near.

import { el } from './dom.js';
import { keyOfLine } from './places.js';
import { scrollerOf } from './scroll.js';

// How many lines are drawn at once, and how high one is unless it wraps.
const CHUNK = 50;
const LINE_REM = 1.25;
const NEAR = '1500px 0px';

// Each size of a chunk has a rule of its own: an element has no style of its own here.
const sizes = new CSSStyleSheet();
for (let count = 1; count <= CHUNK; count += 1) {
  const high = `${count * LINE_REM}rem`;
  sizes.insertRule(`.lines-${count} { contain-intrinsic-size: auto ${high}; }`);
  sizes.insertRule(`.lines-${count}.unbuilt { height: ${high}; }`);
}
document.adoptedStyleSheets.push(sizes);

/** The rows of a file: its hunks' headers and its lines, in pairs where they stand side by side. */
export function rowsOf(file, split) {
  return file.hunks.flatMap(({ header, lines }) => {
    const rows = split ? pairs(lines) : lines.map((line) => ({ line }));
    // Where a change begins is a stop on the way through the file.
    let before;
    for (const row of rows) {
      const changes = (row.line ?? row.right ?? row.left).k !== ' ' || (row.left && row.left.k !== ' ');
      row.stop = changes && !before;
      before = changes;
    }
    return [{ header }, ...rows];
  });
}

/** Lines that were taken away beside those that came in their place. */
function pairs(lines) {
  const rows = [];
  let old = [];
  let fresh = [];
  const flush = () => {
    for (let at = 0; at < Math.max(old.length, fresh.length); at += 1) rows.push({ left: old[at], right: fresh[at] });
    old = [];
    fresh = [];
  };
  for (const line of lines) {
    if (line.k === '-') {
      if (fresh.length) flush();
      old.push(line);
    } else if (line.k === '+') {
      fresh.push(line);
    } else if (line.k === '\\') {
      (fresh.length ? fresh : old).push(line);
    } else {
      flush();
      rows.push({ left: line, right: line });
    }
  }
  flush();
  return rows;
}

/** Draws rows in chunks as they come near the screen. `cards(key)` gives what stands below a line. */
export function drawn(rows, path, split, cards) {
  const chunks = [];
  for (let at = 0; at < rows.length; at += CHUNK) chunks.push(rows.slice(at, at + CHUNK));
  const elements = chunks.map((chunk) => el('div', { class: `chunk unbuilt lines-${chunk.length}` }));

  function build(at) {
    const element = elements[at];
    if (!element.classList.contains('unbuilt')) return;
    element.append(...chunks[at].flatMap((row) => {
      const drawnRow = split ? splitRow(row) : unifiedRow(row);
      return [drawnRow, ...placesOf(row).flatMap((place) => cards(keyOfLine({ file: path, ...place })))];
    }));
    element.classList.remove('unbuilt');
  }

  return {
    elements,
    /** Draws the chunk that has this line, and gives its row. */
    reveal({ line, side }) {
      const at = chunks.findIndex((chunk) => chunk.some((row) => placesOf(row).some((place) => place.line === line && place.side === side)));
      if (at < 0) return undefined;
      build(at);
      return elements[at].querySelector(`[data-place="${side === 'old' ? 'o' : 'n'}${line}"]`)?.closest('.row');
    },
    build,
  };
}

/** Watches chunks from when they are on the page, and draws each once it is near. */
export function drawWhenNear(element, chunks) {
  const begin = () => {
    if (!element.isConnected) return;
    const observer = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        chunks.build(chunks.elements.indexOf(target));
      }
    }, { root: scrollerOf(element), rootMargin: NEAR });
    chunks.elements.forEach((chunk) => observer.observe(chunk));
  };
  if (element.isConnected) begin();
  else requestAnimationFrame(begin);
}

function placesOf({ header, line, left, right }) {
  if (header !== undefined) return [];
  const of = (one) => (one && one.k !== '\\' ? [one.k === '-' ? { line: one.o, side: 'old' } : { line: one.n }] : []);
  if (line) return of(line);
  return left === right ? of(left) : [...of(left), ...of(right)];
}

const NAMES = { '+': 'add', '-': 'del', ' ': 'same', '\\': 'note' };

function unifiedRow({ header, line, stop }) {
  if (header !== undefined) return headerRow(header);
  const row = el('div', { class: `row ${NAMES[line.k]}${stop ? ' stop' : ''}` }, number(line.o), number(line.n), code(line));
  const [place] = placesOf({ line });
  if (place) row.dataset.place = `${place.side === 'old' ? 'o' : 'n'}${place.line}`;
  return row;
}

function splitRow({ header, left, right, stop }) {
  if (header !== undefined) return headerRow(header);
  return el('div', { class: `row paired${stop ? ' stop' : ''}` }, half(left, 'o', left === right), half(right, 'n'));
}

function half(line, side, same = false) {
  if (!line) return el('div', { class: 'half none' });
  const element = el('div', { class: `half ${NAMES[line.k]}` }, number(line[side]), code(line));
  if (line.k !== '\\' && !same) element.dataset.place = `${side}${line[side]}`;
  return element;
}

const headerRow = (header) => el('div', { class: 'row hunk', dir: 'ltr' }, header);

const number = (value) => el('span', { class: 'number', 'data-number': value ?? '' });

function code({ t }) {
  return el('span', { class: 'code', dir: 'ltr' }, t.map(([text, classes]) => (classes ? el('span', { class: classes }, text) : text)));
}
