// Keys. None of them does anything while somebody types, but Ctrl+Enter and Escape.

// How long no key may have been pressed before one means something again.
const PAUSE_MS = 1000;

let quietUntil = 0;

/** Something ended under the person's fingers: the keys that are on their way mean nothing until a pause. */
export function waitForPause() {
  quietUntil = performance.now() + PAUSE_MS;
}

// Whoever takes the pointer has stopped typing.
document.addEventListener('pointerdown', () => { quietUntil = 0; }, { capture: true });

document.addEventListener('keydown', (event) => {
  // A key that is held on opens nothing that comes under it.
  if (event.repeat && event.key === 'Enter' && event.target.closest?.('button, a, summary')) event.preventDefault();
  if (performance.now() >= quietUntil) return;
  waitForPause();
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });

/** Calls what a key stands for: `next`, `previous`, `submit`, `decline`, `select`, `comment`, `place`, `search`, `help`. */
export function listenToKeys(acts) {
  const plain = {
    j: acts.next, k: acts.previous, d: acts.decline, x: acts.select, c: acts.comment, '/': acts.search, '?': acts.help,
    n: () => acts.place(1), p: () => acts.place(-1),
  };
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
    // A key that has just closed a window was meant for that window.
    if (event.target.closest?.('dialog')) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!event.repeat) acts.submit(event.target);
    } else if (event.key === 'Escape' && isTyping(event.target)) {
      event.target.blur();
    } else if (!isTyping(event.target) && !event.ctrlKey && !event.metaKey && !event.altKey && Object.hasOwn(plain, event.key)) {
      event.preventDefault();
      if (!event.repeat || 'jknp'.includes(event.key)) plain[event.key]();
    }
  });
}

const CLICKED = ['checkbox', 'radio', 'button', 'submit', 'file'];

function isTyping(target) {
  if (target instanceof HTMLInputElement) return !CLICKED.includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
