// What a realm is before a script runs in it: its clock and chance are given, nothing of it can be
// changed, and nothing else is there. `host(level, text)` takes what is logged. The object that is
// returned is for the engine; no script ever sees it.
const { apply, construct, defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, setPrototypeOf } = Reflect;
const { freeze } = Object;
const { any } = Promise;

const generator = getPrototypeOf(function* () {});
const asyncGenerator = getPrototypeOf(async function* () {});

export default function (host) {
  const calls = new Map();
  let current = null;
  let now = 0;

  class AskError extends Error {
    constructor(message, outcome, fields) {
      super(message);
      told(this, outcome, fields);
    }
  }
  fixed(AskError.prototype, 'name', 'AskError');
  const thrown = new WeakSet();

  const { request, memory } = waits(() => current, () => now);
  const photon = photonModule(request, memory, host, () => current);

  globalThis.AskError = AskError;
  globalThis.Date = clock(() => now);
  globalThis.console = console(host);
  Math.random = () => chance(current);
  for (const gone of ['Atomics', 'SharedArrayBuffer', 'queueMicrotask']) delete globalThis[gone];
  // Their setters keep state inside the engine, where freezing does not reach.
  for (const gone of ['prepareStackTrace', 'stackTraceLimit']) delete Error[gone];
  bound(new WeakSet());
  harden(photon.shared);

  const enter = (call, time) => {
    current = call;
    now = time;
    return call;
  };

  return {
    describe,

    enter(id, low, high, time) {
      const call = {
        low, high, chance: null, space: null, loaded: null, started: false, body: null, asynchronous: false, answer: null,
        requests: [], timers: new Map(), lastTimer: 0, waiting: null, asked: new Set(), owed: new Map(),
      };
      calls.set(id, enter(call, time));
    },

    hold(id, space, loaded) {
      const call = calls.get(id);
      call.space = space;
      call.loaded = loaded;
    },

    loaded: (id) => calls.get(id).loaded,
    space: (id) => calls.get(id).space,

    start(id, exported, method, body, args, names, space) {
      const call = calls.get(id);
      const offered = (space ?? call.space)[exported];
      call.space = call.loaded = null;
      call.started = true;
      const self = method === undefined ? undefined : construct(offered, []);
      if (self !== undefined) photon.equip(self);
      const made = apply(method === undefined ? offered : self[method], self, passed(args, names));
      run(call, body, made);
    },

    give(id, value, time) {
      proceed(enter(calls.get(id), time), 'next', 'resolve', value);
    },

    fail(id, message, outcome, fields, time) {
      const call = enter(calls.get(id), time);
      const error = stackless();
      setPrototypeOf(error, AskError.prototype);
      fixed(error, 'message', message);
      told(error, outcome, fields);
      thrown.add(error);
      proceed(call, 'throw', 'reject', error);
    },

    // Where the script has come to: what it awaits of the flow, or what its generator gave. Where that is a
    // promise, only the engine can tell, and asks one by one.
    arrived(id) {
      const call = calls.get(id);
      const { answer } = call;
      if (answer === null || answer instanceof Promise) return undefined;
      const first = wanted(call, 'kept');
      if (first !== undefined) return { value: first, done: false };
      call.answer = null;
      handOver(call, answer.value, answer.done);
      return answer;
    },
    // What the script awaits of the flow, if anything.
    wanted: (id, standing) => wanted(calls.get(id), standing),
    // The script has come to a yield, or to its end.
    handOver: (id, value, done) => handOver(calls.get(id), value, done),
    // The script waits for a promise: its first timer is run, or is what it awaits of the flow.
    tick(id, answer) {
      const call = calls.get(id);
      call.answer = answer;
      return tick(call, now);
    },
    photon: photon.module,

    // Where the generator is, or the promise of it.
    place: (id) => calls.get(id).answer,
    answer(id) {
      const call = calls.get(id);
      const { answer } = call;
      call.answer = null;
      return answer;
    },

    forget(id) {
      calls.delete(id);
      current = null;
    },

    // The outcome that an error stands for: only ours count.
    outcome: (error) => (thrown.has(error) ? error.outcome : undefined),
    text: (string) => string.toWellFormed(),
    oddity,
  };
}

// Gives what the flow has brought to the promise that waits for it, or else to the yield.
function proceed(call, how, settle, value) {
  const { waiting } = call;
  call.waiting = null;
  if (waiting === null) {
    call.answer = step(call, how, value);
    return;
  }
  call.asked.delete(waiting);
  waiting[settle](value);
}

// What a method is called with: all arguments as one object, or one by one.
function passed(args, names) {
  if (names == null) return [args];
  const list = [];
  for (const name of names) {
    const rest = name.startsWith('...');
    const value = getOwnPropertyDescriptor(args, rest ? name.slice(3) : name)?.value;
    if (rest) list.push(...(value ?? []));
    else list.push(value);
  }
  return list;
}

// Runs what a method has made until its first yield, or to its end. A plain method may hand on the
// generator of another.
function run(call, body, made) {
  const kind = body === 'plain' ? kindOf(made) : body;
  call.body = made;
  call.asynchronous = kind === 'asyncGenerator';
  if (kind !== 'plain') call.answer = step(call, 'next', undefined);
  else call.answer = made instanceof Promise ? kept(made) : { value: made, done: true };
}

async function kept(promise) {
  return { value: await promise, done: true };
}

function kindOf(made) {
  if (made === null || typeof made !== 'object') return 'plain';
  if (made instanceof Promise) return 'plain';
  for (let layer = getPrototypeOf(made); layer; layer = getPrototypeOf(layer)) {
    if (layer === generator.prototype) return 'generator';
    if (layer === asyncGenerator.prototype) return 'asyncGenerator';
  }
  return 'plain';
}

function step(call, how, value) {
  const steps = call.asynchronous ? asyncGenerator : generator;
  const stepped = apply(steps.prototype[how], call.body, [value]);
  const awaits = !call.asynchronous && !stepped.done && stepped.value instanceof Promise;
  return awaits ? afterPromise(call, stepped.value) : stepped;
}

// A generator that is not async awaits a promise by yielding it. It would take a question that the promise
// gives for the answer to it.
async function afterPromise(call, promise) {
  let value;
  try {
    value = await promise;
  } catch (error) {
    return step(call, 'throw', error);
  }
  if (answers.has(promise) || (yieldKind(value) === undefined && kindOf(value) === 'plain')) return step(call, 'next', value);
  const error = stackless();
  setPrototypeOf(error, TypeError.prototype);
  fixed(error, 'message', 'the yielded promise gives something that is to be yielded itself, and nobody was asked: '
    + 'make this generator async, and write `yield await …` (or `yield* await …` for a generator)');
  return step(call, 'throw', error);
}

function told(error, outcome, fields) {
  for (const key of Object.keys(fields ?? {})) fixed(error, key, fields[key], true);
  if (outcome !== undefined) fixed(error, 'outcome', outcome, true);
}

// An error that gets its stack where it is thrown, which is at the yield: the engine makes such a one for
// promises of which none is kept.
function stackless() {
  let made;
  function Promised(settle) {
    settle(() => {}, (error) => (made = error));
  }
  Promised.resolve = () => {};
  apply(any, Promised, [[]]);
  deleteProperty(made, 'errors');
  return made;
}

function fixed(object, key, value, enumerable = false) {
  defineProperty(object, key, { value, enumerable, writable: false, configurable: false });
}

// --- clock and chance -------------------------------------------------------------------------------

function clock(now) {
  const Real = Date;
  const { toString } = Real.prototype;
  function Shown(...parts) {
    if (new.target === undefined) return apply(toString, new Real(now()), []);
    return construct(Real, parts.length === 0 ? [now()] : parts, new.target);
  }
  fixed(Shown, 'name', 'Date');
  fixed(Shown, 'length', 7);
  fixed(Shown, 'prototype', Real.prototype);
  for (const key of ['UTC', 'parse']) fixed(Shown, key, Real[key]);
  fixed(Shown, 'now', () => now());
  defineProperty(Real.prototype, 'constructor', { value: Shown });
  return Shown;
}

// sfc32, with 53 bits of two draws; seeded when the first is wanted.
function chance(call) {
  const state = (call.chance ??= seeded(call.low, call.high));
  return ((draw(state) >>> 5) * 0x4000000 + (draw(state) >>> 6)) / 2 ** 53;
}

function seeded(low, high) {
  const state = { a: low | 0, b: high | 0, c: 0x9e3779b9 | 0, d: 1 };
  for (let i = 0; i < 12; i++) draw(state);
  return state;
}

function draw(state) {
  const { a, b, c, d } = state;
  const sum = (((a + b) | 0) + d) | 0;
  state.d = (d + 1) | 0;
  state.a = b ^ (b >>> 9);
  state.b = (c + (c << 3)) | 0;
  state.c = (((c << 21) | (c >>> 11)) + sum) | 0;
  return sum >>> 0;
}

// --- what is logged ---------------------------------------------------------------------------------

function console(host) {
  const console = {};
  for (const level of ['debug', 'log', 'info', 'warn', 'error']) {
    fixed(console, level, (...things) => host(level, things.map(shown).join(' ')), true);
  }
  return console;
}

function shown(thing) {
  if (typeof thing === 'string') return thing.toWellFormed();
  try {
    if (thing instanceof Error) return String(thing).toWellFormed();
    if (typeof thing === 'function') return `[function ${thing.name}]`;
    if (typeof thing === 'object') return JSON.stringify(thing) ?? String(thing);
    return String(thing);
  } catch {
    return '[not shown]';
  }
}

// --- values and exports ---------------------------------------------------------------------------

// What an object is that has no JSON form of its own, if it is one.
function oddity(object) {
  const odd = [Map, Set, WeakMap, WeakSet, RegExp, ArrayBuffer, DataView, getPrototypeOf(Uint8Array), Boolean, Number, String];
  return odd.find((kind) => object instanceof kind)?.name;
}

// What a module offers: `[{ exported, name, owner?, declared?, body }]`.
function describe(space) {
  const found = [];
  const seen = new Set();
  for (const exported of Object.keys(space)) {
    const offered = space[exported];
    if (typeof offered !== 'function' || seen.has(offered)) continue;
    seen.add(offered);
    if (!isClass(offered)) {
      const name = exported === 'default' ? String(offered.name || 'default') : exported;
      found.push({ exported, name, declared: String(offered.name), body: bodyOf(offered) });
      continue;
    }
    const own = new Set(['constructor']);
    for (let layer = offered.prototype; layer && layer !== Object.prototype; layer = getPrototypeOf(layer)) {
      for (const name of ownKeys(layer)) {
        const method = getOwnPropertyDescriptor(layer, name).value;
        if (typeof name !== 'string' || own.has(name) || typeof method !== 'function') continue;
        own.add(name);
        found.push({ exported, name, owner: String(offered.name), body: bodyOf(method) });
      }
    }
  }
  return found;
}

// Only a class has a prototype that cannot be set, besides generators.
function isClass(thing) {
  return bodyOf(thing) === 'plain' && getOwnPropertyDescriptor(thing, 'prototype')?.writable === false;
}

function bodyOf(thing) {
  const kind = getPrototypeOf(thing);
  return kind === generator ? 'generator' : kind === asyncGenerator ? 'asyncGenerator' : 'plain';
}

// --- nothing can be changed -------------------------------------------------------------------------

function harden(shared) {
  const hidden = [
    generator, asyncGenerator, async () => {}, [][Symbol.iterator](), new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](), ''[Symbol.iterator](), ''.matchAll(/./g), Iterator.from({ next() {} }),
    [].values().map((x) => x),
  ].map((thing) => (thing === generator || thing === asyncGenerator ? thing : getPrototypeOf(thing)));
  const todo = [globalThis, ...hidden, ...shared];
  const seen = new Set(todo);
  const reach = (thing) => {
    if (thing === null || (typeof thing !== 'object' && typeof thing !== 'function') || seen.has(thing)) return;
    seen.add(thing);
    todo.push(thing);
  };
  // In a frozen prototype a property would forbid its name to all that inherit from it: a class could
  // not set `this.name` of an error. There the property is an accessor that defines it on the heir.
  const often = new Set(['constructor', 'toString', 'valueOf', 'toLocaleString', 'toJSON', 'name', 'message', 'next']);
  for (let i = 0; i < todo.length; i++) {
    const object = todo[i];
    const keys = ownKeys(object);
    // Most are plain functions: a length and a name.
    if (typeof object === 'function' && keys.length === 2) {
      freeze(object);
      continue;
    }
    reach(getPrototypeOf(object));
    const whole = object === Object.prototype || object === Function.prototype;
    const shared = whole || typeof object === 'object';
    for (const key of keys) {
      const property = getOwnPropertyDescriptor(object, key);
      if (property.get !== undefined) reach(property.get);
      if (property.set !== undefined) reach(property.set);
      reach(property.value);
      if (shared && property.configurable && 'value' in property && (whole || often.has(key))) {
        heritable(object, key, property.value);
      }
    }
    freeze(object);
  }
}

function heritable(object, key, value) {
  defineProperty(object, key, {
    get() {
      return value;
    },
    set(other) {
      if (this === object) throw new TypeError(`${String(key)} is read-only`);
      if (getOwnPropertyDescriptor(this, key)) this[key] = other;
      else Object.defineProperty(this, key, { value: other, enumerable: true, writable: true, configurable: true });
    },
  });
}
