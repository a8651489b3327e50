// Drives mcpdo, the scriptable client of the MCP Inspector. Each step is a command of its own; a
// daemon, private to this run, holds the connection in between.

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import * as harness from './plan.mjs';

const { plan, emit } = harness;
if (plan.together) harness.unsupported('calls together');
if (plan.timeoutMs) harness.unsupported('a time-out of its own');
if (plan.elicitation === 'defaults') harness.unsupported('filling in defaults');

const require = createRequire(import.meta.url);
const inspector = '@modelcontextprotocol/inspector/package.json';
const program = join(dirname(require.resolve(inspector)), require(inspector).bin.mcpdo);

const home = mkdtempSync(join(tmpdir(), 'mcpdo-'));
const env = {
  ...process.env,
  HOME: home,
  MCP_INSPECTOR_SECRET_STORE: 'file',
  MCP_INSPECTOR_DAEMON_DIR: join(home, 'daemon'),
  MCP_INSPECTOR_DAEMON_TOKEN: randomUUID(),
};

try {
  const target = plan.url ? [plan.url] : ['--transport', 'stdio', '--', ...plan.command];
  const elicit = plan.elicitation === 'none' ? 'off' : plan.elicitation;
  const declared = ['--era', plan.era, '--elicit', elicit, ...pairs('-e', plan.env)];
  const connected = await json('connect', '--connection', 'test', ...declared, ...target);
  emit('connected', { era: connected.protocolEra });
  await harness.makeCalls(async (call) => {
    if (call.manual) harness.unsupported('manual rounds');
    let reply = await (call.prompt
      ? on('prompts/get', call.prompt, ...pairs('--prompt-args', call.arguments))
      : on('tools/call', call.tool, '--tool-args-json', JSON.stringify(call.arguments ?? {})));
    while (reply.elicitationPending) reply = await respond(reply.elicitationPending);
    return reply;
  });
} finally {
  await run('daemon', 'stop');
  rmSync(home, { recursive: true, force: true });
}
process.exit(0);

async function respond({ elicitationId, message, mode, requestedSchema, url }) {
  emit('elicitation', { params: { mode, message, requestedSchema, url } });
  const { action, content } = await harness.answerTo(message, vanish);
  const answer = action !== 'accept' ? `--${action}` : content ? JSON.stringify(content) : '--done';
  return on('elicitation/respond', elicitationId, answer);
}

/** The client that the server knows is the daemon. */
async function vanish() {
  const { pid } = await json('daemon', 'status');
  process.kill(pid, 'SIGKILL');
  rmSync(home, { recursive: true, force: true });
  harness.die();
}

function pairs(option, values = {}) {
  return Object.entries(values).flatMap(([name, value]) => [option, `${name}=${value}`]);
}

function on(...command) {
  return json('--connection', 'test', ...command);
}

async function json(...command) {
  return JSON.parse(await run('--format', 'json', ...command));
}

/** Runs one command. Its errors are JSON on standard error, after notes for people. */
async function run(...command) {
  try {
    const child = promisify(execFile)(process.execPath, [program, ...command], { env });
    child.child.stdin.end();
    return (await child).stdout;
  } catch (failure) {
    const report = /^\{"error":.*$/m.exec(failure.stderr)?.[0];
    const error = report ? JSON.parse(report).error : failure;
    // A tool's own error is a result: it was printed, too.
    if (error.code === 'tool_is_error') return failure.stdout;
    throw error;
  }
}
