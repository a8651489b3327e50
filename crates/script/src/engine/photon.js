// What `import … from '@portel/photon-core'` gives, in code of our own: functions that build what is
// yielded, and a base class. It is shared by all calls of a realm, and frozen like the language.

function photonModule(request, memory, host, current) {
  const plain = (fields) => {
    const said = {};
    for (const key of Object.keys(fields)) if (fields[key] !== undefined) said[key] = fields[key];
    return said;
  };

  // A question that is awaited rather than yielded asks nobody, and is as true as any object. The engine
  // looks for its `then` when it is awaited, and also when an async generator yields it.
  const { noted } = {
    noted() {
      const call = current();
      if (!call?.started) return;
      const rather = this.ask === 'confirm' ? 'this.confirm(…)' : 'this.elicit({ ask: … })';
      const error = new Error(`io.ask.${this.ask}(…) makes a question and asks nobody: \`yield\` it, or \`await ${rather}\``);
      call.owed.set(this, error);
    },
  };
  freeze(noted);
  const question = (made) => {
    defineProperty(made, 'then', { get: noted, configurable: true });
    // A yes that is kept in a variable is as true: it must be yielded before anything is done.
    if (made.ask === 'confirm') apply(noted, made, []);
    return made;
  };

  const builders = {
    text: (message, options) => ({ ask: 'text', message, ...options }),
    password: (message, options) => ({ ask: 'password', message, ...options }),
    confirm: (message, options) => ({ ask: 'confirm', message, ...options }),
    select: (message, options, more) => ({ ask: 'select', message, options, ...more }),
    number: (message, options) => ({ ask: 'number', message, ...options }),
    file: (message, options) => ({ ask: 'file', message, ...options }),
    date: (message, options) => ({ ask: 'date', message, ...options }),
    form: (message, schema, options) => ({ ask: 'form', message, schema, ...options }),
    url: (message, url, options) => ({ ask: 'url', message, url, ...options }),
  };
  const ask = {};
  for (const kind of Object.keys(builders)) {
    const build = builders[kind];
    // What is left out could have made the ask stricter.
    ask[kind] = (...given) => {
      if (given.length > build.length) throw new TypeError(`io.ask.${kind} takes ${build.length} arguments, not ${given.length}`);
      return question(build(...given));
    };
    fixed(ask[kind], 'name', kind);
  }
  const emit = {
    status: (message, type) => plain({ emit: 'status', message, type }),
    progress: (value, message, meta) => plain({ emit: 'progress', value, message, meta }),
    stream: (data, final, contentType) => plain({ emit: 'stream', data, final, contentType }),
    log: (message, level, data) => plain({ emit: 'log', message, level, data }),
    toast: (message, type, duration) => plain({ emit: 'toast', message, type, duration }),
    thinking: (active) => plain({ emit: 'thinking', active }),
    artifact: (type, options) => ({ emit: 'artifact', type, ...options }),
    ui: (id, options) => plain({ emit: 'ui', id: id ?? undefined, ...options }),
    qr: (value, message) => plain({ emit: 'qr', value, message }),
    render: (format, value) => plain({ emit: 'render', format, value }),
  };

  // `emit({ emit: 'status', … })`, or the kind and what belongs to it: `emit('status', 'Nearly there')`.
  const shaped = (first, second) => {
    if (typeof first !== 'string') return first;
    if (second === undefined) return { emit: 'status', message: first };
    if (typeof second === 'string') return { emit: first, message: second };
    if (typeof second === 'number') return { emit: first, value: second };
    return { emit: first, ...second };
  };
  const tell = (data) => {
    const text = JSON.stringify(data);
    if (text !== undefined) host('emit', text);
  };
  const abilities = {
    emit: (first, second) => tell(shaped(first, second)),
    render: (format, value) => {
      if (format === undefined) return;
      const direct = format === 'status' || format === 'progress' || format === 'toast';
      tell(direct ? shaped(format, value) : emit.render(format, value));
    },
    ask: (kind, message, options) => question({ ask: kind, message, ...options }),
    confirm: (message, options) => request('this.confirm', builders.confirm(message, options)),
    // What a second argument says could have made the ask stricter.
    elicit: (...given) => request('this.elicit', given.length === 1 ? given[0] : undefined),
    memory,
  };

  // Gives an instance what its class does not have itself. Every call has one: what is the same is made once.
  const names = Object.keys(abilities);
  const given = names.map((name) => ({ value: abilities[name], enumerable: false, writable: true, configurable: true }));
  const equip = (self) => {
    for (let i = 0; i < names.length; i++) {
      if (self[names[i]] === undefined) defineProperty(self, names[i], given[i]);
    }
  };
  class Photon {
    constructor() {
      equip(this);
    }
  }

  const has = (thing, key) => typeof thing === 'object' && thing !== null && key in thing;
  const module = {
    io: { ask, emit },
    ask,
    emit,
    Photon,
    PhotonMCP: Photon,
    isAskYield: (thing) => has(thing, 'ask'),
    isEmitYield: (thing) => has(thing, 'emit'),
    isCheckpointYield: (thing) => has(thing, 'checkpoint') && thing.checkpoint === true,
    getAskType: (thing) => thing.ask,
    getEmitType: (thing) => thing.emit,
  };
  return { module, equip, shared: [module, abilities] };
}
