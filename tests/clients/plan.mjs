// What the Node clients share: the plan, the scripted answers, the events.

import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export const plan = readPlan();

/** Prints one event. Written at once, so that nothing is lost when the client vanishes. */
export function emit(event, fields = {}) {
  process.stdout.write(JSON.stringify({ event, ...fields }) + '\n');
}

/** Ends with a word about what this client cannot do. */
export function unsupported(what) {
  process.stderr.write(`this client cannot do that: ${what}\n`);
  process.exit(2);
}

const CANCEL = { action: 'cancel' };
let finished = false;
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/**
 * The scripted answer to a question, after what it waits for. Does not return if the client
 * vanishes, which is the end of this process unless the client is another one.
 */
export async function answerTo(message, vanish = die) {
  const index = plan.answers.findIndex(({ to = '' }) => message.includes(to));
  const [found = CANCEL] = index < 0 ? [] : plan.answers.splice(index, 1);
  const { to, delayMs, await: awaits, vanish: vanishes, ...answer } = found;
  if (delayMs) await sleep(delayMs);
  if (awaits) await lines.next();
  if (vanishes) await vanish();
  emit('answer', { answer });
  return answer;
}

export function die() {
  process.kill(process.pid, 'SIGKILL');
}

/** A handler of `elicitation/create`; `signal` fires when the server takes the question back. */
export async function answerElicitation(params, signal) {
  emit('elicitation', { params });
  // It also fires when we close the connection ourselves.
  const withdrawn = () => finished || emit('withdrawn', { reason: String(signal.reason) });
  signal.addEventListener('abort', withdrawn);
  const answer = await answerTo(params.message);
  signal.removeEventListener('abort', withdrawn);
  return answer;
}

/** Capabilities as the plan wants them declared. */
export function capabilities() {
  const elicitation = {
    form: { form: {} },
    url: { url: {} },
    both: { form: {}, url: {} },
    defaults: { form: { applyDefaults: true } },
  }[plan.elicitation];
  return elicitation ? { elicitation } : {};
}

/** Options of a call: its progress, and how patient the client is. */
export function options(call) {
  return {
    onprogress: (progress) => emit('progress', { call, ...progress }),
    ...(plan.timeoutMs && { timeout: plan.timeoutMs }),
    ...(plan.resetOnProgress && { resetTimeoutOnProgress: true }),
  };
}

/** Makes the calls of the plan; `perform` makes one and returns its result. */
export async function makeCalls(perform) {
  const one = async (call, index) => {
    const started = Date.now();
    try {
      const result = await perform(call, index);
      const event = result.resultType === 'input_required' ? 'input_required' : 'result';
      emit(event, { call: index, result, ms: Date.now() - started });
    } catch (error) {
      const { code, message, data } = error;
      emit('error', { call: index, code, message, data, ms: Date.now() - started });
    }
  };
  if (plan.together) {
    await Promise.all(plan.calls.map(one));
  } else {
    for (const [index, call] of plan.calls.entries()) await one(call, index);
  }
  if (plan.lingerMs) await sleep(plan.lingerMs);
  finished = true;
}

function readPlan() {
  const defaults = {
    era: 'legacy',
    name: 'mcpdo-holdpoint-test',
    elicitation: 'form',
    calls: [],
    answers: [],
  };
  return { ...defaults, ...JSON.parse(process.argv[2]) };
}
