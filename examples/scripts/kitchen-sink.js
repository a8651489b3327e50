/// <reference path="holdpoint.d.ts" />
// Everything that a script can do, one method for each part. Try
//
//     holdpoint run kitchen-sink.js                  lists the methods
//     holdpoint run kitchen-sink.js askUserName
//     holdpoint serve --scripts .                    the same methods as tools of an agent

/** @type {Holdpoint.Permissions} */
export const permissions = {
  run: ['git'],
  read: ['.'],
  write: ['out'],
  net: ['127.0.0.1'],
};

/** Every ask, every emit, every effect. */
export default class KitchenSink {
  /**
   * Asks for a name, and greets.
   * @param {string} [greeting=Hello] - the word before the name
   * @returns {Script<string>} the greeting
   */
  *askUserName({ greeting = 'Hello' }) {
    const name = yield { ask: 'text', id: 'name', message: 'What is your name?', placeholder: 'Ada' };
    return `${greeting}, ${name}!`;
  }

  /**
   * Asks for everything that can be asked for, one after another.
   * @returns {Script<object>} the answers
   */
  *everyAsk() {
    const name = yield {
      ask: 'text',
      id: 'nickname',
      message: 'A **nickname**, please',
      default: 'ada',
      pattern: '[a-z]+',
      minLength: 2,
      maxLength: 20,
    };
    const password = yield { ask: 'password', id: 'password', message: 'A password; it is kept nowhere' };
    const sure = yield { ask: 'confirm', id: 'sure', message: 'Are you sure?' };
    const colour = yield {
      ask: 'select',
      id: 'colour',
      message: 'Which colour?',
      options: [
        { value: 'red', label: 'Red', description: 'like a stop sign' },
        { value: 'green', label: 'Green' },
        { value: 'gold', label: 'Gold', disabled: true },
      ],
    };
    const toppings = yield {
      ask: 'select',
      id: 'toppings',
      message: 'Which toppings?',
      options: ['cheese', 'olives', 'basil'],
      multi: true,
      searchable: true,
    };
    const guests = yield { ask: 'number', id: 'guests', message: 'How many guests?', min: 1, max: 12, step: 1, default: 4 };
    const stars = yield { ask: 'rating', id: 'stars', message: 'How was it?', max: 5, lowLabel: 'bad', highLabel: 'great' };
    const file = yield { ask: 'file', id: 'file', message: 'A text file', accept: '.txt,.md' };
    const day = yield { ask: 'date', id: 'day', message: 'Which day?', min: '2026-01-01', max: '2030-12-31' };
    const moment = yield { ask: 'date', id: 'moment', message: 'And when exactly?', includeTime: true };
    const address = yield {
      ask: 'form',
      id: 'address',
      message: 'Where to?',
      schema: {
        type: 'object',
        properties: {
          street: { type: 'string', title: 'Street', minLength: 2 },
          floor: { type: 'integer', title: 'Floor', minimum: 0 },
          kind: { type: 'string', title: 'Kind', enum: ['home', 'work'] },
        },
        required: ['street', 'kind'],
      },
    };
    const visited = yield { ask: 'url', id: 'terms', message: 'Read the terms', url: 'https://example.org/terms' };
    const remark = yield { ask: 'text', id: 'remark', message: 'Anything else?', required: false, multiline: true };
    return {
      name, passwordLength: password.length, sure, colour, toppings, guests, stars,
      file: file.name, day, moment, address, visited, remark,
    };
  }

  /**
   * Asks two things together: they are shown at the same time, and answered in any order.
   * @returns {Script<string>} both answers
   */
  *together() {
    const [first, second] = yield [
      { ask: 'text', id: 'first', message: 'Your first name?' },
      { ask: 'text', id: 'second', message: 'Your second name?' },
    ];
    return `${first} ${second}`;
  }

  /**
   * Shows everything that a script can show while it runs.
   * @param {integer} [steps=4] - how many steps to count
   * @returns {Script<string>} what was done
   */
  *everyEmit({ steps = 4 }) {
    yield { emit: 'status', message: 'Warming up' };
    yield { emit: 'thinking', active: true, message: 'Thinking it over' };
    yield { emit: 'thinking', active: false };
    for (let step = 1; step <= steps; step++) {
      yield { emit: 'progress', value: step / steps, message: `step ${step} of ${steps}` };
    }
    yield { emit: 'log', level: 'warn', message: 'The oven is hot', data: { degrees: 220 } };
    yield { emit: 'toast', type: 'success', message: 'Done' };
    yield { emit: 'artifact', type: 'markdown', title: 'Recipe', content: '# Pizza\n\n- dough\n- basil\n' };
    yield { emit: 'artifact', type: 'code', title: 'oven.js', language: 'js', content: 'oven.heat(220);\n' };
    yield { emit: 'artifact', type: 'json', title: 'Numbers', content: { steps, degrees: 220 } };
    yield { emit: 'artifact', type: 'image', title: 'A pixel', mimeType: 'image/png', content: PIXEL };
    return `${steps} steps`;
  }

  /**
   * A no, a dismissal and a time-out are errors that a script can catch.
   * @returns {Script<string>} how it ended
   */
  *outcomes() {
    try {
      const colour = yield { ask: 'text', id: 'favourite', message: 'Your favourite colour? Decline this one', timeout: 60 };
      return `answered: ${colour}`;
    } catch (error) {
      if (!error.outcome) throw error;
      return error.reason ? `${error.outcome}: ${error.reason}` : error.outcome;
    }
  }

  /**
   * Counts with a checkpoint: after a restart it goes on from there.
   * @param {number[]} [numbers] - what to add up
   * @returns {Script<number>} the sum
   */
  *checkpoints({ numbers = [1, 2, 3] }) {
    let sum = 0;
    for (const number of numbers) {
      sum = (yield { checkpoint: true, state: { sum: sum + number } }).sum;
    }
    return sum;
  }

  /**
   * Touches the world, by yields only: a program, files of the workspace, a server of this machine.
   * @param {string} [url] - an address to fetch, on this machine
   * @returns {Script<object>} what it found
   */
  *effects({ url }) {
    const git = yield { run: ['git', '--version'], timeout: 10 };
    yield { write: 'out/kitchen-sink.txt', text: git.stdout };
    const text = yield { read: 'out/kitchen-sink.txt' };
    const fetched = url ? yield { fetch: url, timeout: 5 } : null;
    return { git: text.trim(), status: fetched && fetched.status };
  }
}

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
