// One method: what it says of itself, a form for its arguments, and its runs.

import { Refused, post } from './api.js';
import { button, el, markup } from './dom.js';
import { formOf } from './form.js';
import { runEntry } from './scriptlist.js';

/** A method, ready to be run. `begun(id)` is called once it runs. */
export function methodPage(script, method, { begun, runs, workspaces }) {
  const open = method.arguments === null;
  const fields = open ? [ANYTHING] : method.arguments;
  const form = formOf({ id: `arguments.${method.tool}`, form: { fields } }, { alone: false });
  const heading = el('h2', { tabindex: '-1' }, method.name);
  const trouble = el('p', { class: 'trouble', role: 'alert', hidden: true });
  const start = button('Run', { class: 'primary', id: 'run', onclick: submit });
  const past = runs();
  const place = placeOf(workspaces);
  const element = el('article', { class: 'ask method', 'data-method': method.name },
    el('header', { class: 'named' }, heading, el('p', { class: 'origin' },
      el('span', {}, script.file), el('span', {}, 'Tool ', el('code', {}, method.tool)))),
    method.description && markup(method.description, 'details bare'),
    may(script),
    el('form', { novalidate: true, autocomplete: 'off', onsubmit: (event) => event.preventDefault() },
      form.element,
      place.element,
      trouble,
      el('div', { class: 'actions' }, start)),
    past.length > 0 && el('section', { class: 'past' }, el('h3', {}, 'Its runs'),
      el('ol', { class: 'asks' }, past.slice(0, 5).map((run) => runEntry(run)))));

  async function submit() {
    if (start.disabled) return;
    trouble.hidden = true;
    const content = form.content();
    if (content === undefined) return;
    start.disabled = true;
    try {
      const answer = await post('/api/scripts/runs', {
        script: script.name, method: method.name, arguments: argumentsOf(content, fields, open), workspace: place.chosen(),
      });
      if (answer.errors) {
        const rest = form.show(answer.errors);
        fail(rest.length ? rest.map(({ message }) => message).join(' ') : 'Nothing runs yet: see what is marked.');
      } else {
        begun(answer.id);
      }
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      fail(refused.message);
    } finally {
      start.disabled = false;
    }
  }

  function fail(message) {
    trouble.textContent = message;
    trouble.hidden = false;
  }

  return { element, focus: () => heading.focus(), submit: (target) => { if (element.contains(target)) submit(); } };
}

/** The one field of a method that says nothing about its arguments. */
const ANYTHING = {
  name: 'arguments', title: 'Arguments', kind: 'json', required: false, object: true,
  help: 'This method does not say what it takes. Give it a JSON object, or nothing.',
};

/** Options go by their text on the page; to the script they are what they are. */
function argumentsOf(content, fields, open) {
  if (open) return content.arguments ?? {};
  const real = (field, value) => field.options?.find((option) => option.value === value)?.json ?? value;
  return Object.fromEntries(fields.filter(({ name }) => Object.hasOwn(content, name)).map((field) => {
    const value = content[field.name];
    return [field.name, Array.isArray(value) ? value.map((one) => real(field, one)) : real(field, value)];
  }));
}

/** Where it will act: the server's own workspace, unless a person chooses another one that is known. */
function placeOf(workspaces) {
  const [own, ...others] = workspaces;
  const path = (text) => el('code', { class: 'path' }, text);
  if (!own) return { chosen: () => undefined, element: undefined };
  if (others.length === 0) {
    return { chosen: () => own.path, element: el('p', { class: 'place-of' }, 'It will act in ', path(own.shown)) };
  }
  const shown = path(own.shown);
  const choice = el('select', { id: 'workspace' }, workspaces.map(({ path: value, shown: text }, at) => el('option', { value }, at ? text : `${text} (this server's own)`)));
  choice.addEventListener('change', () => { shown.textContent = workspaces[choice.selectedIndex].shown; });
  return {
    chosen: () => workspaces[choice.selectedIndex].path,
    element: el('div', { class: 'place-of' }, el('p', {}, 'It will act in ', shown), el('label', { for: 'workspace' }, 'Another workspace'), choice),
  };
}

/** What the file may do once a person permits it. */
function may({ permissions }) {
  if (!permissions.length) return undefined;
  return el('details', { class: 'may' },
    el('summary', {}, 'You will be asked before it does anything to this machine'),
    el('p', {}, 'Once you permit it, this file may:'),
    el('ul', {}, permissions.map((one) => el('li', {}, one))));
}

/** Where there are no scripts: how to begin. */
export function beginning() {
  return el('article', { class: 'ask method' },
    el('h2', {}, 'No scripts here yet'),
    el('p', {}, 'A script is one JavaScript file whose generators ask people: a tool for agents, a command in the terminal, and a form on this page.'),
    el('pre', {}, el('code', {}, EXAMPLE)),
    el('p', {}, 'Put it into a folder, and start Holdpoint with it:'),
    el('pre', {}, el('code', {}, 'holdpoint serve --scripts DIR')));
}

const EXAMPLE = [
  '/** Says hello. */',
  'export function* hello() {',
  "  const name = yield { ask: 'text', message: 'Your name?' };",
  '  return `Hello, ${name}!`;',
  '}',
].join('\n');

/** Nothing chosen yet. */
export function nowhere({ folder, scripts }) {
  return el('p', { class: 'nothing' }, scripts.length ? 'Choose a method to run it.' : 'There is nothing to run yet.',
    el('br'), el('code', { class: 'path' }, folder));
}
