// The tool on the TypeScript SDK: over stdio, or with --http over HTTP.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { z } from "zod";

if (process.argv.includes("--http")) {
  listen();
} else {
  await withTool().connect(new StdioServerTransport());
}

function withTool() {
  const server = new McpServer({ name: "typescript", version: "1.0.0" });
  server.registerTool(
    "elicit_input",
    {
      description: "Asks a person for a line of text",
      inputSchema: { message: z.string() },
    },
    async ({ message }, { requestId }) => {
      const replied = await server.server.elicitInput(
        {
          message,
          requestedSchema: {
            type: "object",
            properties: { value: { type: "string" } },
            required: ["value"],
          },
        },
        // Over HTTP the question goes out with the answer to this call.
        { timeout: 3_600_000, relatedRequestId: requestId },
      );
      const value = replied.action === "accept" ? replied.content?.value : undefined;
      return {
        content: [{ type: "text", text: value === undefined ? "Not accepted." : "Accepted." }],
        structuredContent: { status: replied.action, value },
      };
    },
  );
  return server;
}

// A transport and a server for each session, as the SDK's own examples do it.
function listen() {
  const sessions = new Map();
  const http = createServer(async (request, response) => {
    let transport = sessions.get(request.headers["mcp-session-id"]);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, transport),
        onsessionclosed: (id) => sessions.delete(id),
      });
      await withTool().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  // Clients of the benchmark keep their connections.
  http.keepAliveTimeout = 600_000;
  http.listen(0, "127.0.0.1", () => {
    console.log(`http://127.0.0.1:${http.address().port}/mcp`);
  });
}
