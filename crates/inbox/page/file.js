// A file: uploaded as soon as it is chosen; its value is what the server then says about it.

import { upload } from './api.js';
import { button, el } from './dom.js';

const MOST = 10 * 1024 * 1024;

/** A file to choose or to drop. */
export function file(field, id, ask) {
  const most = Math.min(field.maxBytes ?? MOST, MOST);
  const input = el('input', { id, type: 'file', accept: field.accept?.join(',') });
  const state = el('p', { class: 'hint', role: 'status' });
  const remove = button('Remove', { class: 'plain small', hidden: true });
  let value;
  let fault;
  let sending = 0;

  const tell = (text) => {
    state.textContent = text;
    remove.hidden = !value;
  };
  const changed = () => input.dispatchEvent(new Event('input', { bubbles: true }));
  const fill = (sent) => {
    value = sent;
    tell(`${sent.name}, ${bytes(sent.size)}, SHA-256 ${sent.sha256.slice(0, 12)}…`);
  };
  const idle = () => tell(`At most ${bytes(most)}${field.accept?.length ? `; ${field.accept.join(', ')}` : ''}`);

  async function send(chosen) {
    value = fault = undefined;
    const turn = ++sending;
    if (chosen.size > most) {
      fault = `have at most ${bytes(most)}`;
      tell(`${chosen.name} has ${bytes(chosen.size)}.`);
      return changed();
    }
    tell(`Uploading ${chosen.name}…`);
    try {
      const query = new URLSearchParams({ name: chosen.name });
      const sent = await upload(`/api/asks/${ask.id}/files/${encodeURIComponent(field.name)}?${query}`, chosen);
      if (turn !== sending) return;
      const { name, size, sha256, path } = sent;
      fill({ name, size, sha256, path });
    } catch (refused) {
      if (turn !== sending) return;
      fault = 'be uploaded again';
      tell(refused.message);
    }
    changed();
  }

  input.addEventListener('change', () => { if (input.files[0]) send(input.files[0]); });
  remove.addEventListener('click', () => {
    sending++;
    value = undefined;
    input.value = '';
    idle();
    changed();
    input.focus();
  });
  idle();

  const control = el('div', { class: 'control drop' }, input, el('div', { class: 'beside' }, state, remove));
  control.addEventListener('dragover', (event) => {
    event.preventDefault();
    control.classList.add('over');
  });
  control.addEventListener('dragleave', () => control.classList.remove('over'));
  control.addEventListener('drop', (event) => {
    event.preventDefault();
    control.classList.remove('over');
    if (event.dataTransfer.files[0]) send(event.dataTransfer.files[0]);
  });
  return {
    control, fill,
    missing: 'be chosen',
    read: () => value,
    wrong: () => fault ?? (state.textContent.startsWith('Uploading ') ? 'finish uploading first: wait a moment' : undefined),
    focus: () => input.focus(),
  };
}

/** A size as people say it. */
export function bytes(size) {
  if (size < 1024) return `${size} ${size === 1 ? 'byte' : 'bytes'}`;
  if (size < 1024 * 1024) return `${(size / 1024).toFixed(1).replace('.0', '')} KiB`;
  return `${(size / 1024 / 1024).toFixed(1).replace('.0', '')} MiB`;
}
