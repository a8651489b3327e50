// The first steps: shown while nothing has been asked yet, and reachable from the help.

import { get } from './api.js';
import { button, el, say } from './dom.js';
import { load, save } from './storage.js';

let known;

/** Reads how far they are. */
export const readFirstSteps = () => get('/api/first-steps');

/** Reads it, for when the page has nothing else to show. */
export async function loadFirstSteps() {
  known = await readFirstSteps();
}

/** How far they are; nothing where there is a history already, or they were not read. */
export function firstSteps() {
  if (!known || known.decided) return undefined;
  return { ...known, dismissed: load('steps-dismissed') === true };
}

const STEPS = [
  ['client', 'Register your agent', 'It learns to ask through Holdpoint. Pick the client that you use.',
    ['holdpoint init claude', 'holdpoint init codex', 'holdpoint init vscode']],
  ['decided', 'Answer a first ask', 'Ask yourself something: it appears here, and you decide it.',
    ['holdpoint ask confirm "Is this thing on?"']],
  ['phone', 'Answer from your phone', 'Serve the page where your phone can reach it, with a certificate: a code to scan is printed.',
    ['holdpoint serve --inbox 0.0.0.0:4653 --inbox-cert cert.pem --inbox-key key.pem']],
  ['pin', 'Set a PIN', 'A yes to something dangerous then needs it, wherever it is given.', ['holdpoint pin set']],
];

/** The checklist. */
export function firstStepsOf(steps, { dismissable = true } = {}) {
  const done = STEPS.filter(([name]) => steps[name]).length;
  const element = el('section', { class: 'first-steps', 'aria-labelledby': 'first-steps-title' },
    el('h2', { id: 'first-steps-title', tabindex: '-1' }, 'First steps'),
    el('p', { class: 'hint' }, `${done} of ${STEPS.length} done`),
    el('ol', {}, STEPS.map(([name, title, about, commands]) => el('li', { 'data-step': name, 'data-done': steps[name] ? 'true' : 'false' },
      el('span', { class: 'mark', 'aria-hidden': 'true' }, steps[name] ? '✓' : ''),
      el('div', {},
        el('h3', {}, title, el('span', { class: steps[name] ? 'badge go' : 'badge' }, steps[name] ? 'Done' : 'To do')),
        !steps[name] && el('p', {}, about),
        !steps[name] && commands.map(commandOf))))),
    dismissable && el('p', { class: 'ways' }, button('Hide these steps', { class: 'plain small', id: 'steps-dismiss', onclick: () => dismiss(element) })));
  return element;
}

function commandOf(command) {
  const copy = button('Copy', { class: 'secondary small', 'aria-label': `Copy: ${command}` });
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(command);
      say('Copied.');
    } catch {
      getSelection().selectAllChildren(copy.previousElementSibling);
      say('Selected: copy it with the keys of your system.');
    }
  });
  return el('p', { class: 'command' }, el('code', {}, command), copy);
}

function dismiss(element) {
  save('steps-dismissed', true);
  element.replaceWith(el('div', { class: 'nothing' }, el('p', {}, 'Nothing is waiting for you.'), el('p', {}, 'The first steps are in the help, at the top right.')));
}
