// The list on the left: one line or three for each ask.

import { ago, keepTime, left } from './clock.js';
import { el } from './dom.js';

const OUTCOMES = {
  accepted: ['Accepted', 'good'],
  declined: ['Declined', 'no'],
  cancelled: ['Dismissed', ''],
  timed_out: ['Timed out', ''],
  unreachable: ['Unreachable', ''],
  invalid: ['Invalid', ''],
  withdrawn: ['Withdrawn', ''],
};

/** The badge of an outcome. */
export function outcomeBadge(outcome) {
  const [name, tone] = OUTCOMES[outcome] ?? [outcome, ''];
  return el('span', { class: `badge ${tone}` }, name);
}

/** Shows these asks in the list, keeping the entries that are right already. */
export function showAsks(list, asks, chosen) {
  const old = new Map([...list.children].map((entry) => [entry.dataset.id, entry]));
  const entries = asks.map((ask) => {
    const kept = old.get(ask.id);
    return kept?.ask === ask ? kept : entryOf(ask);
  });
  entries.forEach((entry, at) => {
    if (list.children[at] !== entry) list.insertBefore(entry, list.children[at] ?? null);
    const link = entry.firstElementChild;
    if (entry.dataset.id === chosen) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  });
  while (list.children.length > entries.length) list.lastElementChild.remove();
  keepTime();
}

function entryOf(ask) {
  const { server, tool, who } = ask.origin;
  const entry = el('li', { 'data-id': ask.id },
    el('a', { href: `/ask/${ask.id}`, class: ask.dangerous && !ask.decision ? 'entry dangerous' : 'entry' },
      el('span', { class: 'first' },
        server && el('span', { class: 'server' }, server),
        el('span', { class: 'tool' }, tool ?? (server ? '' : who)),
        ask.decision ? ago(ask.decision.at) : ago(ask.openedAt)),
      el('span', { class: 'gist' }, gist(ask)),
      el('span', { class: 'last' },
        ask.decision && outcomeBadge(ask.decision.outcome),
        ask.dangerous && el('span', { class: 'badge bad' }, 'Dangerous'),
        ask.agentGone && !ask.decision && el('span', { class: 'badge' }, 'Agent gone'),
        el('span', { class: 'place' }, placeOf(ask)),
        !ask.decision && ask.deadlineAt && left(ask.deadlineAt))));
  entry.ask = ask;
  return entry;
}

/** What an ask says, in a line or two. */
export function gist(ask) {
  const [first] = ask.text.trim().split(/\n\s*\n/);
  const text = first.replace(/^\s*[#>]+\s+/gm, '').replace(/\*\*|`/g, '').replace(/\s+/g, ' ').trim();
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** The client, the last part of the workspace, and its branch. */
export function placeOf({ origin: { workspace, branch, client } }) {
  const folder = workspace?.split(/[\\/]/).filter(Boolean).at(-1);
  return [client, folder, branch].filter(Boolean).join(' · ');
}
