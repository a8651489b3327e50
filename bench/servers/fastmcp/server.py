"""The tool on FastMCP, the one of the package `mcp`: the fastest of its kind."""

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


server.run(transport="stdio")
