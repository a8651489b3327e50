// The list on the left: a row of two lines for each ask, under the headings of their groups.

import { ago, keepTime, left } from './clock.js';
import { el } from './dom.js';
import { GROUPS, groupOf, isNear } from './ask_store.js';

const HEADINGS = { soon: 'Due soon', dangerous: 'Dangerous', reviews: 'Reviews', questions: 'Questions' };

/** What kind of decision an ask wants, in a word. */
export const KINDS = { review: 'Review', permission: 'Permission', confirm: 'Yes or no', choice: 'Choice', input: 'Input', form: 'Form' };

const OUTCOMES = {
  accepted: ['Accepted', 'go'],
  declined: ['Declined', 'hold'],
  cancelled: ['Dismissed', ''],
  timed_out: ['Timed out', ''],
  unreachable: ['Nobody reached', ''],
  invalid: ['Invalid', ''],
  withdrawn: ['Withdrawn', ''],
};

/** The badge of an outcome, where only the protocol's word is known. */
export function outcomeBadge(outcome) {
  const [name, tone] = OUTCOMES[outcome] ?? [outcome, ''];
  return el('span', { class: `badge ${tone}` }, name);
}

/** The badge of what was decided, in the ask's own words. */
export function verdictBadge({ verdict, tone, outcome }) {
  return verdict ? el('span', { class: `badge ${tone ?? ''}`, dir: 'auto' }, verdict) : outcomeBadge(outcome);
}

/** The open asks in their groups; `counts` says how many each has, loaded or not. */
export function openGroups(rows, counts, hasMore) {
  return GROUPS.map((key) => {
    const mine = rows.filter((row) => groupOf(row) === key);
    return { key, title: HEADINGS[key], rows: mine, count: hasMore ? Math.max(counts[key] ?? 0, mine.length) : mine.length };
  }).filter(({ rows: mine }) => mine.length > 0);
}

/** The ended asks by day. */
export function endedGroups(rows) {
  const days = new Map();
  for (const row of rows) {
    const key = dayOf(new Date(row.at));
    days.set(key, [...(days.get(key) ?? []), row]);
  }
  return [...days].map(([key, mine]) => ({ key, title: key, rows: mine }));
}

function dayOf(date) {
  const day = (time) => new Date(time).toDateString();
  if (day(date) === day(Date.now())) return 'Today';
  if (day(date) === day(Date.now() - 86_400_000)) return 'Yesterday';
  return date.toLocaleDateString(undefined, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' });
}

/** Shows these groups, keeping the rows that are right already. `selecting` makes the box of a row that can be selected. */
export function showAsks(place, groups, chosen, selecting) {
  const sections = new Map([...place.children].map((section) => [section.dataset.group, section]));
  const old = new Map([...place.querySelectorAll('li[data-id]')].map((entry) => [entry.dataset.id, entry]));
  arrange(place, groups.map(({ key, title, rows, count }) => {
    const section = sections.get(key) ?? sectionOf(key, title);
    const [heading, list] = section.children;
    const number = count === undefined ? '' : String(count);
    if (heading.lastElementChild.textContent !== number) heading.lastElementChild.textContent = number;
    arrange(list, rows.map((row) => {
      const kept = old.get(row.id);
      return kept?.row === row && kept.isNear === isNear(row) ? kept : entryOf(row, selecting);
    }));
    return section;
  }));
  for (const entry of place.querySelectorAll('li[data-id]')) {
    const link = entry.querySelector('a');
    if (entry.dataset.id === chosen) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  keepTime();
}

/** Makes these the children of an element, moving no more than it must. */
function arrange(parent, children) {
  children.forEach((child, at) => {
    if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
  });
  while (parent.children.length > children.length) parent.lastElementChild.remove();
}

function sectionOf(key, title) {
  const id = `group-${key.replace(/\W+/g, '-')}`;
  return el('section', { class: 'rows', 'data-group': key, 'aria-labelledby': id },
    el('h2', { class: 'group', id }, el('span', {}, title), ' ', el('span', { class: 'number' })),
    el('ol', {}));
}

function entryOf(row, selecting) {
  const entry = el('li', { 'data-id': row.id },
    selecting?.(row),
    el('a', { href: `/ask/${row.id}`, class: row.dangerous && !row.at ? 'entry dangerous' : 'entry' },
      el('span', { class: 'line who' },
        el('span', { class: 'agent' }, row.agent),
        row.place && el('span', { class: 'place' }, row.place),
        el('span', { class: 'gap' }),
        el('span', { class: 'kind' }, KINDS[row.kind] ?? row.kind)),
      el('span', { class: 'line' },
        el('span', { class: 'gist', title: row.title }, row.title),
        row.agentGone && el('span', { class: 'badge' }, 'Agent gone'),
        row.dangerous && el('span', { class: 'badge bad' }, 'Dangerous'),
        row.at && verdictBadge(row),
        row.at ? ago(row.at) : isNear(row) && left(row.deadlineAt))));
  entry.row = row;
  entry.isNear = isNear(row);
  return entry;
}

/** What an ask says, in a line: its title, or the beginning of its text. */
export function gist(ask) {
  if (ask.title) return ask.title;
  const [first] = (ask.text ?? '').trim().split(/\n\s*\n/);
  const text = first.replace(/^\s*[#>]+\s+/gm, '').replace(/\*\*|\x60/g, '').replace(/\s+/g, ' ').trim();
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** The client, the last part of the workspace, and its branch. */
export function placeOf({ origin: { workspace, branch, client } }) {
  const folder = workspace?.split(/[\\/]/).filter(Boolean).at(-1);
  return [client, folder, branch].filter(Boolean).join(' · ');
}
