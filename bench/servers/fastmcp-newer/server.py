"""The tool on the Python SDK 2, where FastMCP is called MCPServer, over HTTP in the newer era: asked by the result of
the call, and nothing kept."""

import asyncio
import socket

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult

server = MCPServer("fastmcp", log_level="WARNING")

FORM = {"type": "object", "properties": {"value": {"type": "string"}}, "required": ["value"]}


@server.tool()
async def elicit_input(message: str, ctx: Context) -> dict | InputRequiredResult:
    """Asks a person for a line of text"""
    replied = (ctx.input_responses or {}).get("value")
    if replied is None:
        asked = ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=FORM))
        return InputRequiredResult(input_requests={"value": asked})
    value = replied.content.get("value") if replied.action == "accept" else None
    return {"status": replied.action, "value": value}


async def listen() -> None:
    # With the protocol named, asyncio sends small writes at once.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(2048)
    config = uvicorn.Config(
        server.streamable_http_app(json_response=True),
        log_level="warning",
        # Clients of the benchmark keep their connections.
        timeout_keep_alive=600,
    )
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
    await uvicorn.Server(config).serve(sockets=[listener])


asyncio.run(listen())
