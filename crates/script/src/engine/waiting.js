// What a script awaits. A promise that only the flow can keep is a yield that the engine makes in the
// script's name: when the script has nothing left to do, the flow is handed the oldest of them, and what it
// answers is what the promise is kept with. Timers wait until everything else is done.

// How many of each may wait at once.
const MOST_WAITING = 1000;
// A day, in milliseconds.
const LONGEST_SLEEP = 86400000;

// What says which kind of thing is yielded, as `yields.rs` has it.
const KINDS = ['ask', 'emit', 'checkpoint', 'sleep', 'memory', 'run', 'read', 'write', 'fetch'];
// Those of them that a script may do on the strength of an answer.
const DEEDS = new Set(['checkpoint', 'run', 'read', 'write', 'fetch']);

// The promises that are kept with what the flow answered. Whatever it looks like, it is nothing to yield.
const answers = new WeakSet();

function waits(current, now) {
  const running = (what) => {
    const call = current();
    if (!call?.started) throw new Error(`${what} works in a tool's method, not while the file is loaded`);
    return call;
  };

  // A promise of what the flow answers to this yield.
  const request = (what, value) => {
    let made;
    const promise = new Promise((resolve, reject) => {
      const call = running(what);
      if (call.requests.length >= MOST_WAITING) throw new RangeError(`more than ${MOST_WAITING} promises of ${what} wait: await them`);
      const kind = yieldKind(value);
      if (kind === undefined) throw new TypeError(`${what} takes one thing that could be yielded, such as { ask: 'text', message: 'Your name?' }`);
      if (DEEDS.has(kind) && call.asked.size > 0) {
        throw new Error(`a question has not been answered yet: await its promise before ${what}({ ${kind}: … })`);
      }
      handOver(call, value, false);
      made = { call, kind, value, resolve, reject };
      call.requests.push(made);
    });
    answers.add(promise);
    if (made?.kind === 'ask') awaitable(made, promise, what);
    return promise;
  };

  // Makes the call fail if it continues as if the promise of an answer were the answer. Whoever awaits a
  // promise looks for its constructor.
  const awaitable = (made, promise, what) => {
    const { asked, owed } = made.call;
    made.error = new Error(`${what}(…) gives a promise, not an answer: write \`await ${what}(…)\`; nothing more was done`);
    asked.add(made);
    owed.set(promise, made.error);
    defineProperty(promise, 'constructor', {
      get() {
        owed.delete(promise);
        return Promise;
      },
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

// Which kind of thing to yield this is, if it is one.
function yieldKind(value) {
  if (value === null || typeof value !== 'object') return undefined;
  if (!Array.isArray(value)) return KINDS.find((kind) => kind in value);
  return value.length > 0 && value.every((item) => yieldKind(item) === 'ask') ? 'ask' : undefined;
}

// What the script owes must not be left behind: promises of answers that it has not awaited, and questions
// that it has awaited without yielding them.
function handOver(call, value, done) {
  if (call.owed.size === 0) return;
  const kind = done ? undefined : yieldKind(value);
  if (kind === 'ask') {
    for (const asked of Array.isArray(value) ? value : [value]) {
      // One that was copied is yielded too.
      for (const owed of call.owed.keys()) if ('ask' in owed && owed.message === asked.message) call.owed.delete(owed);
    }
  } else if (done || DEEDS.has(kind)) {
    for (const error of call.owed.values()) throw error;
  }
}

// The oldest yield that the script awaits, if it awaits one. Where the script has come to a yield or to its
// end, it does not await what it has asked.
function wanted(call, standing) {
  for (const asked of call.asked) {
    if (standing === 'kept') throw asked.error;
    if (standing === 'broken') call.requests = call.requests.filter((request) => request !== asked);
  }
  const first = call.requests.shift();
  if (first === undefined) return undefined;
  call.waiting = first;
  handOver(call, first.value, false);
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
  for (const name of Object.keys(memory)) {
    const method = memory[name];
    memory[name] = (...given) => {
      const promise = method(...given);
      answers.add(promise);
      return promise;
    };
    fixed(memory[name], 'name', name);
  }
  return memory;
}
