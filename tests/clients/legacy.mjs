// Drives the TypeScript SDK v1, which speaks the protocol up to 2025-11-25.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

import * as harness from './plan.mjs';

const { plan, emit } = harness;
if (plan.era !== 'legacy') harness.unsupported(`era ${plan.era}`);

const client = new Client(
  { name: plan.name, version: '1.0.0' },
  { capabilities: harness.capabilities() },
);
if (plan.elicitation !== 'none') {
  client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) =>
    harness.answerElicitation(params, signal),
  );
}
client.fallbackNotificationHandler = async ({ method, params }) =>
  emit('notification', { method, params });

const transport = plan.url
  ? new StreamableHTTPClientTransport(new URL(plan.url), { requestInit: { headers: plan.headers } })
  : new StdioClientTransport({
      command: plan.command[0],
      args: plan.command.slice(1),
      env: { ...process.env, ...plan.env },
    });
await client.connect(transport);
emit('connected', {
  protocolVersion: transport.protocolVersion ?? null,
  server: client.getServerVersion(),
});

await harness.makeCalls((call, index) => {
  if (call.manual) harness.unsupported('manual rounds');
  const options = harness.options(index);
  return call.prompt
    ? client.getPrompt({ name: call.prompt, arguments: call.arguments }, options)
    : client.callTool({ name: call.tool, arguments: call.arguments }, CallToolResultSchema, options);
});
await client.close();
process.exit(0);
