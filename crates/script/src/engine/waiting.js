// What a script awaits. A promise that only the flow can keep is a yield that the engine makes in the
// script's name: when the script has nothing left to do, the flow is handed the oldest of them, and what it
// answers is what the promise is kept with. Timers wait until everything else is done.

// How many of each may wait at once.
const MOST_WAITING = 1000;
// A day, in milliseconds.
const LONGEST_SLEEP = 86400000;

function waits(current, now) {
  const running = (what) => {
    const call = current();
    if (!call?.started) throw new Error(`${what} works in a tool's method, not while the file is loaded`);
    return call;
  };

  // A promise of what the flow answers to this yield.
  const request = (what, value) => {
    const { requests } = running(what);
    if (requests.length >= MOST_WAITING) throw new RangeError(`more than ${MOST_WAITING} promises of ${what} wait: await them`);
    return new Promise((resolve, reject) => {
      requests.push({ value, resolve, reject });
    });
  };

  const setTimeout = (run, delay, ...given) => {
    const { timers } = running('setTimeout');
    if (typeof run !== 'function') throw new TypeError('setTimeout needs a function');
    const wait = Number(delay) > 0 ? Number(delay) : 0;
    if (wait > LONGEST_SLEEP) throw new RangeError('a script waits for a day (86,400,000 ms) at most');
    if (timers.size >= MOST_WAITING) throw new RangeError(`more than ${MOST_WAITING} timers wait`);
    const id = ++current().lastTimer;
    timers.set(id, { id, due: now() + wait, run: () => apply(run, undefined, given) });
    return id;
  };
  const clearTimeout = (id) => {
    current()?.timers.delete(id);
  };

  globalThis.setTimeout = setTimeout;
  globalThis.clearTimeout = globalThis.clearInterval = clearTimeout;
  globalThis.setInterval = () => {
    throw new Error('there is no setInterval: a script runs only while it is called; loop, and await a setTimeout');
  };
  for (const name of ['setTimeout', 'setInterval']) fixed(globalThis[name], 'name', name);
  fixed(clearTimeout, 'name', 'clearTimeout');

  return { request, memory: memoryOf(request) };
}

// The oldest yield that the script awaits, if it awaits one.
function wanted(call) {
  const first = call.requests.shift();
  if (first === undefined) return undefined;
  call.waiting = first;
  return first.value;
}

// Nothing else is left to do: the first timer is next. One that is due is run, and there is more to do.
function tick(call, now) {
  let first;
  for (const timer of call.timers.values()) if (first === undefined || timer.due < first.due) first = timer;
  if (first === undefined) return undefined;
  const fire = () => {
    call.timers.delete(first.id);
    first.run();
  };
  if (first.due <= now) {
    fire();
    return true;
  }
  const reject = (error) => {
    throw error;
  };
  call.waiting = { resolve: fire, reject };
  return { sleep: first.due - now };
}

// --- memory -----------------------------------------------------------------------------------------

// The longest text that can be kept, in characters: its bytes are counted elsewhere.
const LONGEST_KEPT = 65536;

function memoryOf(request) {
  const named = (key, scope) => {
    if (typeof key !== 'string' || key === '') throw new TypeError('a key of memory must be a text');
    only(scope);
    return key.toWellFormed();
  };
  const only = (scope) => {
    if (scope !== undefined && scope !== 'photon') {
      throw new TypeError("memory has no scopes: it belongs to this script, in this workspace; leave the scope out");
    }
  };
  const ask = (memory, fields) => request('memory', { memory, ...fields });
  const kept = (value) => {
    const text = JSON.stringify(value);
    if (text === undefined) throw new TypeError('memory keeps values that JSON can hold; use delete to remove one');
    if (text.length > LONGEST_KEPT) throw new RangeError('a value in memory has at most 64 KB as JSON');
    return text;
  };
  const memory = {
    async get(key, scope) {
      return ask('get', { key: named(key, scope) });
    },
    async set(key, value, scope) {
      await ask('set', { key: named(key, scope), json: kept(value) });
    },
    async has(key, scope) {
      return ask('has', { key: named(key, scope) });
    },
    async delete(key, scope) {
      return ask('delete', { key: named(key, scope) });
    },
    async keys(scope) {
      only(scope);
      return ask('keys');
    },
    async clear(scope) {
      only(scope);
      await ask('clear');
    },
    async getAll(scope) {
      const all = {};
      for (const key of await memory.keys(scope)) {
        defineProperty(all, key, { value: await memory.get(key), enumerable: true, writable: true, configurable: true });
      }
      return all;
    },
    async update(key, change, scope) {
      const value = change(await memory.get(key, scope));
      await memory.set(key, value, scope);
      return value;
    },
  };
  return memory;
}
