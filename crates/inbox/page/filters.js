// Search and filters of the list.

import { byId, el } from './dom.js';
import { KINDS } from './ask_list.js';

const FIELDS = { agent: 'Agent', workspace: 'Workspace', kind: 'Kind' };
const TYPING_MS = 150;

let wanted = {};

/** Calls `want(wanted, { typing })` when something else is looked for. */
export function whenFiltered(want) {
  let typed;
  byId('search').addEventListener('input', () => {
    clearTimeout(typed);
    typed = setTimeout(() => want({ ...wanted, q: byId('search').value.trim() || undefined }, { typing: true }), TYPING_MS);
  });
  for (const name of Object.keys(FIELDS)) {
    byId(`filter-${name}`).addEventListener('change', (event) => want({ ...wanted, [name]: event.target.value || undefined }));
  }
}

/** Shows what can be filtered by, and what is. */
export function showFilters({ view, wanted: now }, { agents, workspaces, kinds }) {
  wanted = now;
  const search = byId('search');
  if (document.activeElement !== search && search.value.trim() !== (now.q ?? '')) search.value = now.q ?? '';
  byId('filters').hidden = view !== 'open';
  offer('agent', agents.map(({ name, asks }) => [name, `${name} (${asks})`]));
  offer('workspace', workspaces.map(({ name, asks }) => [name, `${name} (${asks})`]));
  offer('kind', kinds.map((kind) => [kind, KINDS[kind] ?? kind]));
}

function offer(name, values) {
  const select = byId(`filter-${name}`);
  const chosen = wanted[name] ?? '';
  const known = values.some(([value]) => value === chosen);
  const options = [['', FIELDS[name]], ...(chosen && !known ? [[chosen, chosen]] : []), ...values];
  const text = JSON.stringify(options);
  if (select.dataset.options !== text) {
    select.dataset.options = text;
    select.replaceChildren(...options.map(([value, label]) => el('option', { value }, label)));
  }
  if (select.value !== chosen) select.value = chosen;
  select.toggleAttribute('data-chosen', chosen !== '');
}
