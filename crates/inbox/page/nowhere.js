// The page for an address at which there is nothing: it has the same header as all others.

import { enter, get } from './api.js';
import { badge } from './notify.js';
import { countRemembered } from './remembered_count.js';
import { bindWindow } from './shell.js';

bindWindow(() => {});
start();

async function start() {
  try {
    await enter();
    const [asks] = await Promise.all([get('/api/asks', { limit: 1 }), countRemembered()]);
    badge(asks.open);
  } catch {
    // Without a key the page says the same, and counts nothing.
  }
  document.documentElement.dataset.ready = 'true';
}
