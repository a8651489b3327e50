// The list on the left: each script with its methods, then the runs.

import { get } from './api.js';
import { ago, keepTime } from './clock.js';
import { el } from './dom.js';
import { outcomeBadge } from './ask_list.js';

/** The runs that the page knows, newest first. */
export class Runs {
  #runs = [];
  #next;
  #round = 0;

  /** All anew, as far down as they were loaded. */
  async load() {
    const round = ++this.#round;
    const limit = Math.min(Math.max(20, this.#runs.length), 100);
    const page = await get('/api/scripts/runs', { limit });
    if (round === this.#round) this.#take(page, []);
  }

  /** One page more. */
  async more() {
    const round = this.#round;
    const page = await get('/api/scripts/runs', { before: this.#next });
    if (round === this.#round) this.#take(page, this.#runs);
  }

  #take({ runs, next }, known) {
    this.#runs = [...known, ...runs];
    this.#next = next ?? undefined;
  }

  get hasMore() {
    return this.#next !== undefined;
  }

  has(id) {
    return this.#runs.some((run) => run.id === id);
  }

  list() {
    return this.#runs;
  }
}

/** Shows the scripts with the methods that a search finds; says how many those are. */
export function showScripts(place, { folder, scripts }, search, address) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (...texts) => words.every((word) => texts.join(' ').toLowerCase().includes(word));
  let found = 0;
  const blocks = scripts.map((script) => {
    const methods = script.methods.filter(({ name, gist }) => fits(script.name, name, gist ?? ''));
    const faulty = script.fault && fits(script.file);
    found += methods.length + (faulty ? 1 : 0);
    if (!methods.length && !faulty) return undefined;
    return el('section', { class: 'script', 'data-script': script.name },
      el('h2', { class: 'group' }, script.name),
      faulty ? faultOf(script) : undefined,
      methods.length > 0 && el('ul', {}, methods.map((method) => methodEntry(script, method, address))));
  });
  place.replaceChildren(...blocks.filter(Boolean));
  if (folder !== null && scripts.length === 0) place.append(el('p', { class: 'nothing' }, 'No scripts in ', el('code', { class: 'path' }, folder), ' yet.'));
  return found;
}

function methodEntry(script, method, address) {
  const href = `/scripts/${encodeURIComponent(script.name)}/${encodeURIComponent(method.name)}`;
  return el('li', {}, el('a', { href, class: 'entry', 'aria-current': href === address ? 'true' : undefined },
    el('span', { class: 'gist' }, method.name),
    method.gist && el('span', { class: 'about' }, method.gist)));
}

/** A file that cannot be run: where, why, and the line with its caret. */
function faultOf({ file, fault }) {
  const place = [file, fault.line, fault.column].filter((part) => part !== null).join(':');
  return el('div', { class: 'fault' },
    el('p', {}, el('code', {}, place)),
    el('p', {}, fault.message),
    fault.excerpt && el('pre', { tabindex: '0', 'aria-label': 'The line' }, el('code', {}, fault.excerpt)));
}

/** Shows the runs, newest first. */
export function showRuns(list, runs, chosen) {
  list.replaceChildren(...runs.map((run) => runEntry(run, run.id === chosen)));
  keepTime();
}

/** A run in a line or two. */
export function runEntry(run, chosen = false) {
  return el('li', { 'data-run': run.id }, el('a', { href: `/run/${run.id}`, class: 'entry', 'aria-current': chosen ? 'true' : undefined },
    el('span', { class: 'first' }, el('span', { class: 'tool' }, run.tool), ago(run.begunAt)),
    el('span', { class: 'last' }, stateBadge(run), el('span', { class: 'place' }, run.client))));
}

const STATES = { running: ['Running', 'good'], elsewhere: ['Not ended', ''] };
const ENDS = { done: ['Done', 'good'], failed: ['Failed', 'bad'] };

/** The badge of how far a run is, or of how it ended. */
export function stateBadge({ state, outcome }) {
  const known = STATES[state] ?? ENDS[outcome];
  if (!known) return outcomeBadge(outcome);
  return el('span', { class: `badge ${known[1]}` }, known[0]);
}
