// The asks that the page knows, as rows: the open ones in their groups, and the ended ones, newest first. An ask
// itself is read only when it is opened.

import { getIfChanged } from './api.js';
import { now, setClock } from './clock.js';

const PAGE = 50;
const MOST = 500;
const SOON_MS = 10 * 60_000;

/** The groups of open asks, in order. */
export const GROUPS = ['soon', 'dangerous', 'reviews', 'questions'];

/** Whether time is nearly up for this ask. */
export const isNear = ({ deadlineAt }) => deadlineAt !== undefined && Date.parse(deadlineAt) - now() <= SOON_MS;

/** The group that an open ask is in now. */
export function groupOf(row) {
  if (isNear(row)) return 'soon';
  if (row.dangerous) return 'dangerous';
  return row.kind === 'review' ? 'reviews' : 'questions';
}

/** The open asks, page by page, kept up to date. */
export class OpenAsks {
  #rows = new Map();
  #next;
  #round = 0;
  #tag;
  /** How many are open in all, loaded or not. */
  count = 0;
  /** How many there are in each group, loaded or not. */
  groups = {};
  /** What can be filtered by. */
  filters = { agents: [], workspaces: [], kinds: [] };
  /** What is wanted: `q`, `agent`, `workspace`, `kind`. */
  wanted = {};

  /** All anew, as far down as it was loaded, or so many. */
  async load(least = 0) {
    const round = ++this.#round;
    const limit = Math.min(Math.max(PAGE, this.#rows.size, least), MOST);
    const address = JSON.stringify([limit, this.wanted]);
    const known = this.#tag?.address === address ? this.#tag.etag : undefined;
    const { body, etag } = await getIfChanged('/api/asks', { limit, ...this.wanted }, known);
    if (round !== this.#round || !body) return;
    this.#tag = { address, etag };
    const old = this.#rows;
    this.#rows = new Map();
    this.#take(body, old);
  }

  /** One page more. */
  async more() {
    const round = this.#round;
    const { body } = await getIfChanged('/api/asks', { limit: PAGE, after: this.#next, ...this.wanted });
    if (round === this.#round) this.#take(body, this.#rows);
  }

  #take({ asks, next, open, groups, filters, now: time }, old) {
    setClock(time);
    for (const row of asks) {
      // What has not changed stays the same, so that its entry in the list stays, too.
      const known = old.get(row.id);
      this.#rows.set(row.id, known && JSON.stringify(known) === JSON.stringify(row) ? known : row);
    }
    this.#next = next ?? undefined;
    this.count = open;
    this.groups = groups;
    this.filters = filters;
  }

  /** Whether there are more than are loaded. */
  get hasMore() {
    return this.#next !== undefined;
  }

  /** How many are loaded. */
  get size() {
    return this.#rows.size;
  }

  /** The row of this id, if it is loaded. */
  get(id) {
    return this.#rows.get(id);
  }

  /** Takes in a new or changed row; says whether it is new to the page. */
  put(row) {
    this.#tag = undefined;
    const known = this.#rows.get(row.id);
    if (known) {
      this.#rows.set(row.id, row);
      return false;
    }
    if (!this.#fits(row)) return true;
    this.#count(row, 1);
    const last = this.list().at(-1);
    if (!this.hasMore || !last || order(row, last) < 0) this.#rows.set(row.id, row);
    return true;
  }

  /** Lets go of an ask that ended, and gives its row back. */
  drop(id) {
    this.#tag = undefined;
    const row = this.#rows.get(id);
    if (this.#rows.delete(id)) this.#count(row, -1);
    return row;
  }

  #count(row, by) {
    const group = groupOf(row);
    this.groups = { ...this.groups, [group]: Math.max(0, (this.groups[group] ?? 0) + by) };
  }

  /** All that are loaded, in the order in which people see them. */
  list() {
    return [...this.#rows.values()].sort(order);
  }

  // The text of an ask is not in its row: what is searched for is found by the server.
  #fits(row) {
    const { q, agent, workspace, kind } = this.wanted;
    return !q && isNamed(row.agent, agent) && isNamed(row.place?.split(' · ')[0], workspace) && (!kind || row.kind === kind);
  }
}

/** Whether this is the name, which a row may have cut. */
function isNamed(shown, name) {
  return !name || shown === name || Boolean(shown?.endsWith('…') && name.startsWith(shown.slice(0, -1)));
}

/** The order: what is due soon by its deadline, then group by group, each oldest first. */
function order(one, other) {
  const [first, second] = [one, other].map((row) => {
    const group = groupOf(row);
    return [GROUPS.indexOf(group), Date.parse(group === 'soon' ? row.deadlineAt : row.openedAt), row.id];
  });
  for (const at of [0, 1]) if (first[at] !== second[at]) return first[at] - second[at];
  return first[2] < second[2] ? -1 : Number(first[2] !== second[2]);
}

/** The asks that ended, newest first. */
export class EndedAsks {
  #rows = [];
  #next;
  #round = 0;
  #tag;
  wanted = {};

  /** The first page anew, or so many. */
  async load(least = 0) {
    const round = ++this.#round;
    const address = JSON.stringify(this.wanted);
    const known = this.#tag?.address === address ? this.#tag.etag : undefined;
    const { body, etag } = await getIfChanged('/api/log', { limit: Math.min(Math.max(PAGE, least), MOST), q: this.wanted.q }, known);
    if (round !== this.#round || !body) return;
    this.#tag = { address, etag };
    this.#rows = body.asks;
    this.#next = body.next ?? undefined;
  }

  /** One page more. */
  async more() {
    const round = this.#round;
    const { body } = await getIfChanged('/api/log', { limit: PAGE, q: this.wanted.q, before: this.#next });
    if (round !== this.#round) return;
    this.#tag = undefined;
    this.#rows.push(...body.asks);
    this.#next = body.next ?? undefined;
  }

  get hasMore() {
    return this.#next !== undefined;
  }

  get size() {
    return this.#rows.length;
  }

  list() {
    return this.#rows;
  }
}
