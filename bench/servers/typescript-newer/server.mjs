// The tool on the TypeScript SDK 2, over HTTP in the newer era: asked by the result of the call, and nothing kept.
import { toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, acceptedContent, createMcpHandler, inputRequired } from "@modelcontextprotocol/server";
import { createServer } from "node:http";
import { z } from "zod";

const form = z.object({ value: z.string() });

function withTool() {
  const server = new McpServer({ name: "typescript", version: "1.0.0" });
  server.registerTool(
    "elicit_input",
    {
      description: "Asks a person for a line of text",
      inputSchema: z.object({ message: z.string() }),
    },
    async ({ message }, { mcpReq }) => {
      if (!mcpReq.inputResponses?.value) {
        const value = inputRequired.elicit({ message, requestedSchema: form });
        return inputRequired({ inputRequests: { value } });
      }
      const value = acceptedContent(mcpReq.inputResponses, "value", form)?.value;
      return {
        content: [{ type: "text", text: value === undefined ? "Not accepted." : "Accepted." }],
        structuredContent: { status: mcpReq.inputResponses.value.action, value },
      };
    },
  );
  return server;
}

const http = createServer(toNodeHandler(createMcpHandler(withTool)));
// Clients of the benchmark keep their connections.
http.keepAliveTimeout = 600_000;
http.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${http.address().port}/mcp`);
});
