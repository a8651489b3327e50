// Elements, built so that text stays text.

/** An element with these attributes (`on…` are listeners) and children. Strings become text. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** The element of this id, which the page's own HTML has. */
export const byId = (id) => document.getElementById(id);

// The only way to HTML: what the server has sanitized. Every other sink refuses strings (see the
// content security policy).
const sanitized = self.trustedTypes?.createPolicy('sanitized', { createHTML: (html) => html });

/** A block of the server's sanitized HTML. */
export function markup(html, className) {
  const block = el('div', { class: className });
  block.innerHTML = sanitized ? sanitized.createHTML(html) : html;
  return block;
}

/** A button that submits nothing by itself. */
export function button(label, attributes = {}) {
  return el('button', { type: 'button', ...attributes }, label);
}

/** A button that opens a short list of things to do. */
export function menu(label, entries, className = '') {
  const box = el('details', { class: `menu ${className}` }, el('summary', { class: 'plain button' }, label));
  const close = () => { box.open = false; };
  box.append(el('div', { class: 'entries' }, entries.map(([name, act]) =>
    button(name, { class: 'entry', onclick: () => { close(); act(); } }))));
  box.addEventListener('focusout', (event) => { if (!box.contains(event.relatedTarget)) close(); });
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && box.open) {
      event.stopPropagation();
      close();
      box.querySelector('summary').focus();
    }
  });
  return box;
}

// How long what is said stays on the screen.
const SAID_MS = 8000;
let said;

/** Tells people what happened, those who listen and those who look. */
export function say(text) {
  byId('said').textContent = text;
  clearTimeout(said);
  said = setTimeout(() => { byId('said').textContent = ''; }, SAID_MS);
}
