// The diffs of an ask: their files, how they are laid out, and which were viewed.

import { countsOf, diffFile } from './diff_file.js';
import { button, el } from './dom.js';
import { load, save } from './storage.js';
import { counted } from './texts.js';

const wide = matchMedia('(min-width: 56rem)');

/** Puts the diffs of an ask where its text has them; `cards(key)` gives the comments on a line. */
export function diffsIn(text, ask, cards) {
  const kept = `viewed.${ask.id}`;
  const viewed = new Set(load(kept)?.files ?? []);
  const folding = button('Fold all', { class: 'plain small', onclick: () => {
    const open = folding.textContent !== 'Fold all';
    files.forEach((file) => file.setOpen(open));
    folding.textContent = open ? 'Fold all' : 'Unfold all';
  } });
  const summary = el('span', { role: 'status' });
  const files = [];
  const changes = [];
  for (const place of text.querySelectorAll('[data-diff]')) {
    const diff = ask.diffs?.[Number(place.dataset.diff)];
    if (!diff) continue;
    const mine = diff.files.map((file) => diffFile(file, {
      viewed: viewed.has(file.path), whole: ask.dangerous, cards,
      marked(path, now) {
        if (now) viewed.add(path);
        else viewed.delete(path);
        save(kept, viewed.size ? { at: Date.now(), files: [...viewed] } : undefined);
        tell();
      },
    }));
    if (!files.length) place.before(tools());
    place.replaceChildren(...mine.map(({ element }) => element));
    files.push(...mine);
  }
  lay();
  wide.addEventListener('change', lay);
  tell();

  function tools() {
    const choose = (mode, label) => button(label, { class: 'plain small', 'data-mode': mode, onclick: () => { save('diff-mode', mode); lay(); } });
    return el('div', { class: 'diff-tools' }, summary,
      el('span', { class: 'modes', role: 'group', 'aria-label': 'Layout' }, choose('unified', 'Unified'), choose('split', 'Side by side')),
      folding);
  }

  function lay() {
    const split = wide.matches && load('diff-mode') === 'split';
    files.forEach((file) => file.lay(split));
    for (const one of text.querySelectorAll('.modes button')) one.setAttribute('aria-pressed', String((one.dataset.mode === 'split') === split));
  }

  function tell() {
    const total = { added: 0, removed: 0 };
    for (const { file } of files) {
      total.added += file.added;
      total.removed += file.removed;
    }
    const seen = files.filter(({ file }) => viewed.has(file.path)).length;
    summary.replaceChildren(`${counted(files.length, 'file')} `, countsOf(total), files.length > 1 ? `, ${seen} of ${files.length} viewed` : '');
    changes.forEach((change) => change());
  }

  return {
    files,
    isViewed: (path) => viewed.has(path),
    /** Calls back when a file is marked. */
    whenMarked: (then) => changes.push(then),
    /** Shows a line, and gives its row. */
    reveal(place) {
      return files.filter(({ file }) => file.path === place.file).map((file) => file.reveal(place)).find(Boolean);
    },
  };
}
