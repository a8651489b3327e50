// The asks that the page knows: the open ones, most dangerous first, then newest; and the ended ones.

import { get } from './api.js';
import { setClock } from './clock.js';

const PAGE = 50;
const MOST = 500;

/** The open asks, page by page, kept up to date. */
export class OpenAsks {
  #asks = new Map();
  #next;
  #round = 0;
  /** How many are open in all, loaded or not. */
  count = 0;
  /** What is searched for. */
  query = '';

  /** All anew, as far down as it was loaded. */
  async load() {
    const round = ++this.#round;
    const limit = Math.min(Math.max(PAGE, this.#asks.size), MOST);
    const page = await get('/api/asks', { limit, q: this.query });
    if (round !== this.#round) return;
    const old = this.#asks;
    this.#asks = new Map();
    this.#take(page, old);
  }

  /** One page more. */
  async more() {
    const round = this.#round;
    const page = await get('/api/asks', { limit: PAGE, q: this.query, after: this.#next });
    if (round === this.#round) this.#take(page);
  }

  #take({ asks, next, open, now }, old = new Map()) {
    setClock(now);
    for (const ask of asks) {
      // What has not changed stays the same, so that its entry in the list stays, too.
      const known = old.get(ask.id);
      this.#asks.set(ask.id, known && JSON.stringify(known) === JSON.stringify(ask) ? known : ask);
    }
    this.#next = next ?? undefined;
    this.count = open;
  }

  /** Whether there are more than are loaded. */
  get hasMore() {
    return this.#next !== undefined;
  }

  /** The ask of this id, if it is loaded. */
  get(id) {
    return this.#asks.get(id);
  }

  /** Takes in a new or changed ask; says whether it is new to the page. */
  put(ask) {
    const known = this.#asks.has(ask.id);
    const last = this.list().at(-1);
    const beyond = this.hasMore && last && before(last, ask);
    if (known || (!beyond && this.#matches(ask))) this.#asks.set(ask.id, ask);
    return !known;
  }

  /** Lets go of an ask that ended, and gives it back. */
  drop(id) {
    const ask = this.#asks.get(id);
    this.#asks.delete(id);
    return ask;
  }

  /** All that are loaded, in the order in which people see them. */
  list() {
    return [...this.#asks.values()].sort((a, b) => (before(a, b) ? -1 : 1));
  }

  #matches(ask) {
    const { server, client, tool, workspace } = ask.origin;
    const all = [ask.text, server, client, tool, workspace].join('\n').toLowerCase();
    return all.includes(this.query.trim().toLowerCase());
  }
}

/** The asks that ended, newest first. */
export class EndedAsks {
  #asks = [];
  #next;
  #round = 0;
  query = '';

  /** The first page anew. */
  async load() {
    const round = ++this.#round;
    const page = await get('/api/log', { limit: PAGE, q: this.query });
    if (round !== this.#round) return;
    this.#asks = page.asks;
    this.#next = page.next ?? undefined;
  }

  /** One page more. */
  async more() {
    const round = this.#round;
    const page = await get('/api/log', { limit: PAGE, q: this.query, before: this.#next });
    if (round !== this.#round) return;
    this.#asks.push(...page.asks);
    this.#next = page.next ?? undefined;
  }

  get hasMore() {
    return this.#next !== undefined;
  }

  get(id) {
    return this.#asks.find((ask) => ask.id === id);
  }

  list() {
    return this.#asks;
  }
}

/** The order: dangerous first, then newest. */
function before(a, b) {
  if (a.dangerous !== b.dangerous) return a.dangerous;
  const [one, other] = [Date.parse(a.openedAt), Date.parse(b.openedAt)];
  return one === other ? a.id > b.id : one > other;
}
