// Places in what is shown: the block or line that something is in, and what the agent is told of it.

export const BLOCKS = '[data-line]:not(.diff), [data-place]';
const LONGEST_QUOTE = 4000;

/** The place of all that is shown. */
export const WHOLE = { key: '', where: {}, words: 'All of it' };

/** The place of a block or line that a node is in; none where it is in neither. */
export function placeAt(node) {
  const block = (node instanceof Element ? node : node?.parentElement)?.closest(BLOCKS);
  if (!block) return undefined;
  return 'place' in block.dataset ? lineOf(block) : blockOf(block);
}

/** The place of what is selected in `root`, from its first block or line to its last; none where nothing is. */
export function selectedIn(root) {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !selection.rangeCount) return undefined;
  const range = selection.getRangeAt(0);
  const quote = selection.toString().trim().slice(0, LONGEST_QUOTE);
  const [first, last] = [placeAt(range.startContainer), placeAt(range.endContainer)];
  if (!quote || !root.contains(range.commonAncestorContainer) || !first) return undefined;
  const where = { ...first.where };
  const end = last?.where.endLine ?? last?.where.line;
  const together = last && last.where.file === where.file && last.where.side === where.side && last.part === first.part;
  if (together && where.line && end > where.line) where.endLine = end;
  return { ...first, where, quote, key: together ? last.key : first.key, host: together ? last.host : first.host, words: wordsOf(where) };
}

/** The place of a line of a diff: its file, its number, and the side where that is the old one. */
function lineOf(line) {
  const file = line.closest('[data-path]').dataset.path;
  const { place } = line.dataset;
  const where = { file, line: Number(place.slice(1)), ...(place.startsWith('o') && { side: 'old' }) };
  return { key: keyOfLine(where), where, quote: line.querySelector('.code').textContent.slice(0, LONGEST_QUOTE), words: wordsOf(where), host: line.closest('.row') };
}

/** What finds a line of a diff again. */
export const keyOfLine = ({ file, line, side }) => `f|${file}|${side === 'old' ? 'o' : 'n'}${line}`;

/** The line that such a key stands for, without its kind. */
export function lineOfKey(key) {
  const at = key.lastIndexOf('|');
  return { file: key.slice(0, at), line: Number(key.slice(at + 2)), ...(key[at + 1] === 'o' && { side: 'old' }) };
}

/** The place of a block of text: the headings above it, and in the details its lines. */
function blockOf(block) {
  const part = block.closest('.message, .details');
  if (!part) return undefined;
  const name = part.classList.contains('details') ? 'd' : 'm';
  const [line, endLine] = block.dataset.line.split('-').map(Number);
  const where = { headings: headingsOf(part, block), ...(name === 'd' && { line, ...(endLine > line && { endLine }) }) };
  const cells = block.matches('tr') ? [...block.cells].map((cell) => cell.textContent).join(' | ') : (block.querySelector(':scope > code') ?? block).textContent;
  // What is put below a block stands among the children of the text, wherever the block is in them.
  let host = block;
  while (host.parentElement !== part) host = host.parentElement;
  return { key: `${name}|${block.dataset.line}`, part: name, where, quote: cells.trim().slice(0, LONGEST_QUOTE), words: wordsOf(where), host, block };
}

/** The headings that a block stands below, outermost first; a heading stands below itself. */
function headingsOf(part, block) {
  const path = [];
  for (const heading of part.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    if (heading !== block && !(heading.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
    const level = Number(heading.tagName[1]);
    while (path.length && path.at(-1).level >= level) path.pop();
    path.push({ level, text: heading.textContent.trim() });
  }
  return path.map(({ text }) => text);
}

/** A place in a few words, as every other surface says it. */
export function wordsOf({ headings = [], file, line, endLine, side } = {}) {
  const lines = line && (endLine > line ? `lines ${line} to ${endLine}` : `line ${line}`);
  if (file) return [file, lines, side === 'old' && 'before the change'].filter(Boolean).join(', ');
  return headings.length ? headings.join(' › ') : lines || 'All of it';
}
