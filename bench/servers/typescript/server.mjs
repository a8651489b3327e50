// The tool on the TypeScript SDK.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "typescript", version: "1.0.0" });

server.registerTool(
  "elicit_input",
  {
    description: "Asks a person for a line of text",
    inputSchema: { message: z.string() },
  },
  async ({ message }) => {
    const replied = await server.server.elicitInput(
      {
        message,
        requestedSchema: {
          type: "object",
          properties: { value: { type: "string" } },
          required: ["value"],
        },
      },
      { timeout: 3_600_000 },
    );
    const value = replied.action === "accept" ? replied.content?.value : undefined;
    return {
      content: [{ type: "text", text: value === undefined ? "Not accepted." : "Accepted." }],
      structuredContent: { status: replied.action, value },
    };
  },
);

await server.connect(new StdioServerTransport());
