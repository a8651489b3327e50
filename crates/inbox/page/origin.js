// Who asks, and from where.

import { el } from './dom.js';

/** Who asks unless that is said already, the tool, the workspace and its branch, in one line. */
export function originOf({ origin }, { who = true } = {}) {
  const { tool, workspace, branch } = origin;
  return el('p', { class: 'origin' },
    who && el('span', {}, origin.who),
    tool && part('Tool', el('code', {}, tool)),
    workspace && part('Workspace', el('code', { class: 'path' }, workspace)),
    branch && part('Branch', el('span', { class: 'branch' }, branch)));
}

function part(name, value) {
  return el('span', {}, el('span', { class: 'unseen' }, `${name}: `), value);
}
