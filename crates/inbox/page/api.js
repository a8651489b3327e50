// The page's API: cookie to read, token to answer.

import { load, save } from './storage.js';

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
    return this.status === 401 || this.code === 'no_key' || this.code === 'no_token';
  }
}

/** Trades the key in the address for cookie and token, and takes it out of the address. */
export async function enter() {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key === null) return;
  history.replaceState(null, '', location.pathname + location.search);
  try {
    const { token } = await post('/api/session', { key });
    save('token', token);
  } catch (refused) {
    // A key opens the page once; a browser that is known already needs none.
    if (!(refused instanceof Refused) || !refused.keyIsSpent || !canAnswer()) throw refused;
    await get('/api/stats').catch(() => { throw refused; });
  }
}

/** Whether this browser can answer, not only read. */
export const canAnswer = () => load('token') !== undefined;

/** Reads something. */
export const get = (path, query = {}) => {
  const parts = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return call(parts.length ? `${path}?${new URLSearchParams(parts)}` : path, {});
};

/** Does something. */
export const post = (path, body) => call(path, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Sends a file as it is. */
export const upload = (path, file) => call(path, {
  method: 'POST',
  headers: { 'content-type': 'application/octet-stream' },
  body: file,
});

async function call(path, request) {
  const token = load('token');
  const headers = { ...request.headers };
  if (request.method === 'POST' && token) headers['x-holdpoint-token'] = token;
  let response;
  try {
    response = await fetch(path, { ...request, headers, credentials: 'same-origin', cache: 'no-store' });
  } catch {
    throw new Refused(0, 'offline', 'Holdpoint cannot be reached: is it still running?');
  }
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  const { code = 'failed', message = `The server said ${response.status}.` } = body.error ?? {};
  throw new Refused(response.status, code, message);
}
