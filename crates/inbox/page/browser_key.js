// The key of this browser. The browser signs with it and gives it to nobody, not even to this page: whoever
// listens at the page's address while Holdpoint does not gets only what is signed for them, which is good for nothing.

const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const STORE = 'keys';

let known;

/** Keeps the key that the page gave to this browser. */
export async function keepKey(number, digits) {
  const bytes = Uint8Array.from(digits.match(/../g), (pair) => Number.parseInt(pair, 16));
  known = { number, key: await crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign']) };
  // Storage is off or full: the page works, it only forgets.
  await inStore('readwrite', (store) => store.put(known, 'browser')).catch(() => {});
}

/** What shows that this browser was let in, made for this hosting of the page; none where it was not. */
export async function tokenFor(hosting) {
  known ??= await inStore('readonly', (store) => store.get('browser')).catch(() => undefined);
  if (!known) return undefined;
  const signed = await crypto.subtle.sign(HMAC, known.key, new TextEncoder().encode(`holdpoint token ${hosting}`));
  return `${known.number}.${[...new Uint8Array(signed)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

async function inStore(mode, act) {
  const database = await new Promise((resolve, reject) => {
    const opening = indexedDB.open('holdpoint', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}
