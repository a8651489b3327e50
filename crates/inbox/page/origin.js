// Who asks, and from where.

import { el } from './dom.js';

/** The client unless that is said already, the tool, the workspace and its branch, in one line. */
export function originOf({ origin }, { client = true } = {}) {
  const { tool, workspace, branch } = origin;
  return el('p', { class: 'origin' },
    client && part('Client', origin.client ?? 'An agent'),
    tool && part('Tool', el('code', {}, tool)),
    workspace && part('Workspace', el('code', { class: 'path' }, workspace)),
    branch && part('Branch', el('span', { class: 'branch' }, branch)));
}

function part(name, value) {
  return el('span', {}, el('span', { class: 'unseen' }, `${name}: `), value);
}
