// The files of a diff as a tree of folders.

import { countsOf } from './diff_file.js';
import { button, el } from './dom.js';

/** The tree of these files; `go(file)` leads to one. */
export function fileTree(files, { go, isViewed, whenMarked }) {
  const entries = files.map((view) => {
    const { path, from } = view.file;
    const entry = button([el('span', { class: 'name', dir: 'ltr' }, path.split('/').at(-1)), countsOf(view.file)],
      { class: 'plain file', title: from ? `${from} → ${path}` : path, onclick: () => go(view) });
    const show = () => {
      entry.classList.toggle('seen', isViewed(path));
      entry.setAttribute('aria-label', `${path}, ${view.file.added} added, ${view.file.removed} removed${isViewed(path) ? ', viewed' : ''}`);
    };
    whenMarked(show);
    show();
    return { view, entry, parts: path.split('/') };
  });
  return { element: el('ul', { class: 'tree' }, levelOf(entries, 0)), entries };
}

/** One level: folders first, those with one folder alone in one line with it. */
function levelOf(entries, depth) {
  const folders = Map.groupBy(entries.filter(({ parts }) => parts.length > depth + 1), ({ parts }) => parts[depth]);
  const inFolders = [...folders.values()].map((inside) => {
    let deep = depth + 1;
    while (inside.every(({ parts }) => parts.length > deep + 1 && parts[deep] === inside[0].parts[deep])) deep += 1;
    return el('li', {}, el('details', { open: true },
      el('summary', { dir: 'ltr' }, inside[0].parts.slice(depth, deep).join('/')), el('ul', {}, levelOf(inside, deep))));
  });
  const here = entries.filter(({ parts }) => parts.length === depth + 1).map(({ entry }) => el('li', {}, entry));
  return [...inFolders, ...here];
}
