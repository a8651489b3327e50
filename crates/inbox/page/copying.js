// Copying text, also where the page is not served safely enough for the clipboard.

import { button, el, say } from './dom.js';

/** A button that copies what `text` gives. */
export function copyButton(text, label = 'Copy') {
  const copy = button(label, { class: 'plain small copy' });
  copy.addEventListener('click', async () => {
    const done = await copied(text());
    copy.textContent = done ? 'Copied' : 'Not copied';
    say(done ? 'Copied.' : 'This browser does not let the page copy.');
    setTimeout(() => { copy.textContent = label; }, 2000);
  });
  return copy;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el('textarea', { class: 'unseen', 'aria-hidden': 'true', tabindex: '-1' });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
