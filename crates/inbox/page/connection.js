// Whether the page hears what happens elsewhere.

import { byId } from './dom.js';

/** It does. */
export const showLive = () => show('live', '', 'Live');

/** It does not, for now. */
export const showLost = () => show('lost', 'Reconnecting…', 'What is shown may be old');

function show(state, text, title) {
  const connection = byId('connection');
  connection.textContent = text;
  connection.dataset.state = state;
  connection.title = title;
}
