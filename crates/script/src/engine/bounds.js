// What the engine cannot interrupt is bounded before it is called. The engine looks whether to stop only
// every 10,000 steps of a script, and never inside most functions of the language: one call of some of them
// could keep a core busy for hours. Here each of them gets an amount of work that takes seconds at most, and
// counts as the steps that it stands for.

// How many characters are compared one by one, at most; more are searched for in linear time.
const COMPARED = 2 ** 28;
// How many places a list may have.
const PLACES = 2 ** 24;
// How many characters a pattern may have: to compile one takes the square of that.
const PATTERN = 2 ** 15;
// How much of a prototype chain a list may have.
const CHAIN = 8;

const { isArray } = Array;
const { getPrototypeOf: above } = Reflect;
const byCharacter = String.prototype.indexOf;

function bound(proxies) {
  globalThis.Proxy = marked(proxies);
  boundSearches();
  boundPatterns();
  boundLists(proxies);
  boundNumbers();
}

// Makes the engine look whether to stop, as it would after so many steps of a script.
function spend(units) {
  for (let left = units > 1e7 ? 10000 : units / 1000; left > 1; left--);
}

function wrap(owner, names, make) {
  for (const name of names) {
    const native = owner[name];
    const made = make(native, name);
    fixed(made, 'name', name);
    fixed(made, 'length', native.length);
    defineProperty(owner, name, { value: made });
  }
}

// What a proxy says of itself cannot be relied upon, so they are known.
function marked(proxies) {
  const Real = Proxy;
  const made = (proxy) => {
    proxies.add(proxy);
    return proxy;
  };
  function Marked(target, handler) {
    if (new.target === undefined) throw new TypeError('Proxy must be called with new');
    return made(new Real(target, handler));
  }
  fixed(Marked, 'name', 'Proxy');
  fixed(Marked, 'length', 2);
  fixed(Marked, 'revocable', (target, handler) => {
    const revocable = Real.revocable(target, handler);
    made(revocable.proxy);
    return revocable;
  });
  return Marked;
}

// --- texts ------------------------------------------------------------------------------------------

function boundSearches() {
  const { prototype } = String;
  wrap(prototype, ['indexOf', 'includes'], (native, name) => ({
    search(part, from) {
      const [text, sought] = [textOf(this), plainText(part, name)];
      if (isQuick(text, sought)) return apply(native, text, [sought, from]);
      const at = find(text, sought, place(from, text.length));
      return name === 'includes' ? at >= 0 : at;
    },
  }).search);
  wrap(prototype, ['lastIndexOf'], (native) => ({
    search(part, from) {
      const [text, sought] = [textOf(this), `${part}`];
      if (isQuick(text, sought)) return apply(native, text, [sought, from]);
      const number = Number(from);
      return findLast(text, sought, number !== number ? text.length : place(number, text.length));
    },
  }).search);
  wrap(prototype, ['split'], (native) => ({
    split(separator, limit) {
      const [own, sought] = handler(this, separator, Symbol.split);
      if (own !== undefined) return apply(own, separator, [this, limit]);
      const text = textOf(this);
      if (sought === undefined || isQuick(text, sought)) return apply(native, text, [sought, limit]);
      const most = limit === undefined ? 2 ** 32 - 1 : limit >>> 0;
      const parts = [];
      let from = 0;
      for (let at; parts.length < most && (at = find(text, sought, from)) >= 0; from = at + sought.length) {
        parts.push(text.slice(from, at));
      }
      if (parts.length < most) parts.push(text.slice(from));
      return parts;
    },
  }).split);
  wrap(prototype, ['replace', 'replaceAll'], (native, name) => ({
    replace(pattern, replacement) {
      if (name === 'replaceAll' && pattern instanceof RegExp && !`${pattern.flags}`.includes('g')) {
        throw new TypeError('replaceAll must be called with a global RegExp');
      }
      const [own, sought] = handler(this, pattern, Symbol.replace);
      if (own !== undefined) return apply(own, pattern, [this, replacement]);
      const text = textOf(this);
      const by = typeof replacement === 'function' ? replacement : `${replacement}`;
      const found = `${sought}`;
      if (isQuick(text, found)) return apply(native, text, [found, by]);
      return replaced(text, found, by, name === 'replaceAll');
    },
  }).replace);
  const marks = /\p{M}{256}/u;
  const { test } = RegExp.prototype;
  const unmarked = (text) => {
    spend(text.length * 10);
    if (text.length > 256 && apply(test, marks, [text])) {
      throw new RangeError('a text with 256 combining marks in a row cannot be normalized');
    }
    return text;
  };
  wrap(prototype, ['normalize'], (native) => ({
    normalize(form) {
      return apply(native, unmarked(textOf(this)), [form]);
    },
  }).normalize);
  wrap(prototype, ['localeCompare'], (native) => ({
    compare(other) {
      return apply(native, unmarked(textOf(this)), [unmarked(`${other}`)]);
    },
  }).compare);
  // The engine's own goes through any list without a look.
  wrap(String, ['raw'], () => ({
    raw(template, ...values) {
      const { raw } = template;
      let text = '';
      for (let i = 0; i < raw.length; i++) {
        text += `${raw[i]}`;
        if (i < values.length && i + 1 < raw.length) text += `${values[i]}`;
      }
      return text;
    },
  }).raw);
}

function textOf(self) {
  if (self === undefined || self === null) throw new TypeError('cannot convert to a text');
  return `${self}`;
}

function plainText(part, name) {
  if (name === 'includes' && part instanceof RegExp) throw new TypeError('regexp not supported');
  return `${part}`;
}

// The pattern's own way to do this, or else the pattern as text.
function handler(self, pattern, symbol) {
  if (self === undefined || self === null) throw new TypeError('cannot convert to a text');
  if (pattern !== null && (typeof pattern === 'object' || typeof pattern === 'function')) {
    const own = pattern[symbol];
    if (own !== undefined && own !== null) return [own];
  }
  return [undefined, pattern === undefined && symbol !== Symbol.replace ? undefined : `${pattern}`];
}

function isQuick(text, part) {
  const work = text.length * part.length;
  if (work > COMPARED) return false;
  if (work > 1000) spend(work);
  spend(text.length);
  return true;
}

function place(from, length) {
  const number = Math.trunc(Number(from)) || 0;
  return Math.min(Math.max(number, 0), length);
}

// Where the part is, by Knuth, Morris and Pratt: each character is looked at once.
function find(text, part, from) {
  if (part.length > text.length - from) return -1;
  if ((text.length - from) * part.length <= COMPARED) return apply(byCharacter, text, [part, from]);
  const borders = bordersOf(part);
  for (let i = from, matched = 0; i < text.length; i++) {
    matched = extended(part, borders, matched, text[i]);
    if (matched === part.length) return i - matched + 1;
  }
  return -1;
}

function findLast(text, part, most) {
  const borders = bordersOf(part);
  const end = Math.min(text.length, most + part.length);
  let last = -1;
  for (let i = 0, matched = 0; i < end; i++) {
    if (matched === part.length) matched = borders[matched - 1];
    matched = extended(part, borders, matched, text[i]);
    if (matched === part.length) last = i - matched + 1;
  }
  return last;
}

// For each beginning of the part, how much of the part it ends with.
function bordersOf(part) {
  const borders = new Int32Array(part.length);
  for (let i = 1; i < part.length; i++) borders[i] = extended(part, borders, borders[i - 1], part[i]);
  return borders;
}

// How much of the part is matched with one more character.
function extended(part, borders, matched, character) {
  while (matched > 0 && character !== part[matched]) matched = borders[matched - 1];
  return character === part[matched] ? matched + 1 : 0;
}

function replaced(text, part, by, all) {
  let result = '';
  let from = 0;
  for (let at = find(text, part, 0); at >= 0; at = all ? find(text, part, from) : -1) {
    result += text.slice(from, at) + substitute(text, part, at, by);
    from = at + part.length;
  }
  return result + text.slice(from);
}

function substitute(text, part, at, by) {
  if (typeof by === 'function') return `${by(part, at, text)}`;
  const meanings = { $: () => '$', '&': () => part, '`': () => text.slice(0, at), "'": () => text.slice(at + part.length) };
  return by.replace(/\$([$&`'])/g, (_, sign) => meanings[sign]());
}

// --- patterns ---------------------------------------------------------------------------------------

function boundPatterns() {
  const Real = RegExp;
  const source = getOwnPropertyDescriptor(Real.prototype, 'source').get;
  const isPattern = (thing) => {
    if (thing === null || typeof thing !== 'object' || thing === Real.prototype) return false;
    try {
      apply(source, thing, []);
      return true;
    } catch {
      return false;
    }
  };
  function Bounded(pattern, flags) {
    const known = isPattern(pattern);
    if (new.target === undefined && known && flags === undefined && pattern.constructor === Bounded) return pattern;
    if (known && flags !== undefined) short(apply(source, pattern, []));
    const given = known || pattern === undefined ? pattern : short(`${pattern}`);
    return construct(Real, [given, flags], new.target ?? Bounded);
  }
  for (const key of ownKeys(Real)) {
    if (key !== 'prototype') defineProperty(Bounded, key, getOwnPropertyDescriptor(Real, key));
  }
  fixed(Bounded, 'prototype', Real.prototype);
  defineProperty(Real.prototype, 'constructor', { value: Bounded });
  delete Real.prototype.compile;
  globalThis.RegExp = Bounded;
  const symbols = { match: Symbol.match, matchAll: Symbol.matchAll, search: Symbol.search };
  wrap(String.prototype, Object.keys(symbols), (native, name) => ({
    match(pattern) {
      if (name === 'matchAll' && isPattern(pattern) && !`${pattern.flags}`.includes('g')) {
        throw new TypeError('matchAll must be called with a global RegExp');
      }
      const [own, text] = handler(this, pattern, symbols[name]);
      if (own !== undefined) return apply(own, pattern, [this]);
      return apply(native, textOf(this), [text === undefined ? undefined : short(text)]);
    },
  }).match);
}

function short(pattern) {
  if (pattern.length > PATTERN) throw new RangeError(`a pattern has at most ${PATTERN} characters`);
  spend(pattern.length ** 2);
  return pattern;
}

// --- lists ------------------------------------------------------------------------------------------

function boundLists(proxies) {
  const { prototype } = Array;
  const { every, map } = prototype;
  // Whether a list has the length that it says, and no long way to what it lacks.
  const isPlain = (list) => {
    if (!isArray(list)) return false;
    let at = list;
    for (let left = CHAIN; left > 0 && at !== null && !proxies.has(at); left--) {
      if (at === prototype) return true;
      at = above(at);
    }
    return false;
  };
  const checked = (list) => {
    if (list.length > PLACES) throw new RangeError(`a list has at most ${PLACES} places here`);
    if (list.length > 1000) spend(list.length * 10);
    return list;
  };
  // Read place by place, as a script would.
  const copied = (list) => {
    if (list === undefined || list === null) throw new TypeError('cannot convert to object');
    const copy = [];
    const length = Math.trunc(Number(list.length)) || 0;
    for (let i = 0; i < length; i++) copy.push(list[i]);
    return copy;
  };
  const readable = (list) => (isPlain(list) ? checked(list) : copied(list));
  const reads = ['join', 'slice', 'toLocaleString', 'toReversed', 'toSpliced', 'with'];
  wrap(prototype, reads, (native) => ({
    read(...given) {
      return apply(native, readable(this), given);
    },
  }).read);
  const changes = ['copyWithin', 'fill', 'reverse', 'shift', 'splice', 'unshift'];
  const changeable = (list, name) => {
    if (isPlain(list)) return checked(list);
    throw new TypeError(`${name} changes arrays only; make one of it first, with Array.from`);
  };
  wrap(prototype, changes, (native, name) => ({
    change(...given) {
      return apply(native, changeable(this, name), given);
    },
  }).change);
  wrap(prototype, ['sort', 'toSorted'], (native, name) => ({
    sort(compare) {
      const list = name === 'sort' ? changeable(this, name) : readable(this);
      // To compare long texts is work that the engine would not see.
      const long = compare === undefined && !apply(every, list, [isShort]);
      return apply(native, list, [long ? byText : compare]);
    },
  }).sort);
  const spread = Symbol.isConcatSpreadable;
  const concatenable = (thing) => {
    if (thing === null || (typeof thing !== 'object' && typeof thing !== 'function')) return thing;
    const says = thing[spread];
    const spreads = says === undefined ? isArray(thing) : Boolean(says);
    if (!spreads) return [thing];
    return isPlain(thing) && !isOdd(thing) ? checked(thing) : copied(thing);
  };
  // Whether its answer could be another one next time.
  const isOdd = (list) => {
    for (let at = list; at !== prototype; at = above(at)) {
      if (getOwnPropertyDescriptor(at, spread) !== undefined) return true;
    }
    return false;
  };
  wrap(prototype, ['concat'], (native) => ({
    concat(...others) {
      if (this === undefined || this === null) throw new TypeError('cannot convert to object');
      const lists = others.map(concatenable);
      const total = lists.reduce((sum, list) => sum + (isArray(list) ? list.length : 1), 0);
      if (total > PLACES) throw new RangeError(`a list has at most ${PLACES} places here`);
      const first = concatenable(Object(this));
      return apply(native, first, lists);
    },
  }).concat);
  const flatten = (result, list, depth) => {
    const length = Math.trunc(Number(list.length)) || 0;
    for (let i = 0; i < length; i++) {
      if (!(i in list)) continue;
      const item = list[i];
      if (depth > 0 && isArray(item)) flatten(result, item, depth - 1);
      else result.push(item);
    }
    return result;
  };
  wrap(prototype, ['flat'], () => ({
    flat(depth = 1) {
      return flatten([], Object(this), Math.trunc(Number(depth)) || 0);
    },
  }).flat);
  wrap(prototype, ['flatMap'], () => ({
    flatMap(make, self) {
      return flatten([], apply(map, readable(this), [make, self]), 1);
    },
  }).flatMap);
  wrap(JSON, ['stringify'], (native) => ({
    stringify(value, replacer, space) {
      return apply(native, JSON, [value, isArray(replacer) ? copied(replacer) : replacer, space]);
    },
  }).stringify);
}

function isShort(item) {
  if (typeof item === 'string') return item.length <= 100;
  return typeof item === 'number' || typeof item === 'boolean' || item === undefined || item === null;
}

function byText(one, other) {
  const [a, b] = [`${one}`, `${other}`];
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

// --- numbers in buffers -----------------------------------------------------------------------------

function boundNumbers() {
  const typed = above(Uint8Array.prototype);
  const { get } = getOwnPropertyDescriptor(typed, 'length');
  const names = [
    'copyWithin', 'fill', 'includes', 'indexOf', 'join', 'lastIndexOf', 'reverse', 'set', 'slice', 'sort',
    'toReversed', 'toSorted', 'with',
  ];
  wrap(typed, names, (native, name) => ({
    work(...given) {
      spend(apply(get, this, []) * (name.endsWith('ort') || name.endsWith('orted') ? 20 : 1));
      return apply(native, this, given);
    },
  }).work);
}
