// The page's API, open to a browser that a person let in.

import { keepKey, tokenFor } from './browser_key.js';
import { save } from './storage.js';

/** What the server refused, with its code and its words. */
export class Refused extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** The key in the address was good once. */
  get keyIsSpent() {
    return this.code === 'used_key' || this.code === 'old_key';
  }

  /** This browser may not do it until a person gives it the key. */
  get needsKey() {
    return this.status === 401;
  }
}

/** Trades the key in the address for a key of this browser's own, and takes it out of the address. */
export async function enter() {
  await dropWorkers();
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key === null) return;
  history.replaceState(null, '', location.pathname + location.search);
  try {
    const { browser, key: own } = await post('/api/session', { key });
    await keepKey(browser, own);
    token = undefined;
    save('entered', Date.now());
  } catch (refused) {
    // A key opens the page once; a browser that is known already needs none.
    if (!(refused instanceof Refused) || !refused.keyIsSpent) throw refused;
    await get('/api/stats').catch(() => { throw refused; });
  }
}

/** Nothing of this page works in the background: what does was put there by another program that had this address. */
async function dropWorkers() {
  const workers = await navigator.serviceWorker?.getRegistrations().catch(() => []) ?? [];
  await Promise.all(workers.map((worker) => worker.unregister()));
  if (workers.length) location.reload();
}

/** Reads something. */
export const get = (path, query = {}) => call(addressOf(path, query), {});

function addressOf(path, query) {
  const parts = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return parts.length ? `${path}?${new URLSearchParams(parts)}` : path;
}

/** Reads something unless it is what this validator stands for: `body` is missing then. */
export async function getIfChanged(path, query = {}, etag) {
  const response = await ask(addressOf(path, query), { headers: etag && { 'if-none-match': etag } });
  if (response.status === 304) return { etag };
  if (!response.ok) throw await refusalOf(response);
  return { body: await response.json(), etag: response.headers.get('etag') };
}

/** Does something; with `keepalive` also where the page is being left. */
export const post = (path, body, { keepalive } = {}) => call(path, {
  method: 'POST',
  keepalive,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Sends a file as it is. */
export const upload = (path, file) => call(path, {
  method: 'POST',
  headers: { 'content-type': 'application/octet-stream' },
  body: file,
});

/** Gets something as it is, with what the server says of it. */
export async function download(path, headers) {
  const response = await ask(path, { headers });
  if (!response.ok) throw await refusalOf(response);
  return response;
}

async function call(path, request) {
  const response = await ask(path, request);
  if (!response.ok) throw await refusalOf(response);
  return response.json().catch(() => ({}));
}

async function refusalOf(response) {
  const { error: { code = 'failed', message = `The server said ${response.status}.` } = {} } = await response.json().catch(() => ({}));
  return new Refused(response.status, code, message);
}

// What shows that this browser was let in; made anew when the page is served anew.
let token;

/** Asks the server. No cookie is sent: it would go to every port of this machine. */
export async function ask(path, request = {}, again = true) {
  try {
    const shown = path === '/api/session' ? undefined : await (token ??= makeToken());
    const headers = { ...request.headers, ...(shown && { 'x-holdpoint-token': shown }) };
    const response = await fetch(path, { ...request, headers, credentials: 'omit', cache: 'no-store' });
    if (response.status !== 401 || !shown || !again) return response;
  } catch {
    token = undefined;
    throw new Refused(0, 'offline', 'Holdpoint cannot be reached: is it still running?');
  }
  token = undefined;
  return ask(path, request, false);
}

async function makeToken() {
  const answer = await fetch('/api/health', { credentials: 'omit', cache: 'no-store' });
  const { hosting } = await answer.json();
  return tokenFor(hosting);
}
