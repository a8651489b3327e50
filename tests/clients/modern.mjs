// Drives the TypeScript client v2, which speaks both eras of the protocol.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import * as harness from './plan.mjs';

const { plan, emit } = harness;

const client = new Client(
  { name: plan.name, version: '2.0.0' },
  {
    capabilities: harness.capabilities(),
    versionNegotiation: { mode: plan.era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
  },
);
if (plan.elicitation !== 'none') {
  client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
    harness.answerElicitation(params, mcpReq.signal),
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
  protocolVersion: client.getNegotiatedProtocolVersion(),
  server: client.getServerVersion(),
});

await harness.makeCalls(({ tool, prompt, manual, ...params }, index) => {
  const options = { ...harness.options(index), allowInputRequired: manual };
  return prompt
    ? client.getPrompt({ name: prompt, ...params }, options)
    : client.callTool({ name: tool, ...params }, options);
});
await client.close();
process.exit(0);
