"""An MCP server whose tools ask their client in the middle of a call.

usage: asking_server.py PACKAGE_DIR
"""

import sys

sys.dont_write_bytecode = True


def main(package):
    # In isolated mode the packages are not on the path.
    sys.path.insert(0, package)
    from pydantic import BaseModel

    try:
        from fastmcp import Context, FastMCP as Server
    except ModuleNotFoundError:
        # `FastMCP` is called `MCPServer` since version 2 of the SDK.
        from mcp.server.mcpserver import Context, MCPServer as Server

    server = Server("asking")
    runs = {"greet": 0}

    class Person(BaseModel):
        name: str

    @server.tool()
    async def greet(ctx: Context) -> str:
        """Greets the user, and says how often it has run."""
        runs["greet"] += 1
        answer = await ctx.elicit("What is your name?", Person)
        if answer.action != "accept":
            return "Nobody is there."
        return f"Hello, {answer.data.name}! Run {runs['greet']}."

    server.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
