// Who asks, and from where.

import { el } from './dom.js';

/** The client, the tool, the workspace and its branch, in one line. */
export function originOf({ origin: { client, tool, workspace, branch } }) {
  return el('p', { class: 'origin' },
    part('Client', client ?? 'An agent'),
    tool && part('Tool', el('code', {}, tool)),
    workspace && part('Workspace', el('code', { class: 'path' }, workspace)),
    branch && part('Branch', el('span', { class: 'branch' }, branch)));
}

function part(name, value) {
  return el('span', {}, el('span', { class: 'unseen' }, `${name}: `), value);
}
