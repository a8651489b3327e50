"""The tool on FastMCP, the one of the package `mcp`: the fastest of its kind. Over stdio, or with --http over HTTP."""

import asyncio
import socket
import sys

import uvicorn
from mcp.server.fastmcp import Context, FastMCP
from pydantic import BaseModel

server = FastMCP("fastmcp", log_level="WARNING")


class Named(BaseModel):
    value: str


@server.tool()
async def elicit_input(message: str, ctx: Context) -> dict:
    """Asks a person for a line of text"""
    replied = await ctx.elicit(message, schema=Named)
    value = replied.data.value if replied.action == "accept" else None
    return {"status": replied.action, "value": value}


async def listen() -> None:
    # With the protocol named, asyncio sends small writes at once.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(2048)
    config = uvicorn.Config(
        server.streamable_http_app(),
        log_level="warning",
        # Clients of the benchmark keep their connections.
        timeout_keep_alive=600,
    )
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
    await uvicorn.Server(config).serve(sockets=[listener])


if "--http" in sys.argv:
    asyncio.run(listen())
else:
    server.run(transport="stdio")
