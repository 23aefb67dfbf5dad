"""Calls tools of an MCP server with the client of FastMCP.

usage: fastmcp_calls.py PACKAGE_DIR SERVER CLIENT_NAME < ["tool", …]

SERVER is an address, or a program that is started with --stdio. Writes a line for each call, as
../node/mcp_calls.js does.
"""

import asyncio
import json
import sys
import warnings

sys.dont_write_bytecode = True


async def run(server, name, tools):
    # What it imports has warnings that are about itself.
    with warnings.catch_warnings(record=True):
        from fastmcp import Client
        from fastmcp.client.transports import StdioTransport
        from mcp.types import Implementation

    if not server.startswith("http"):
        server = StdioTransport(command=server, args=["--stdio"], keep_alive=False)
    info = Implementation(name=name, version="1")
    async with Client(server, client_info=info) as client:
        await client.list_tools()
        for tool in tools:
            line = {"client": "fastmcp", "tool": tool}
            try:
                result = await client.call_tool(tool, {})
                line["result"] = {"content": [{"text": block.text} for block in result.content]}
            except Exception as error:
                line["refused"] = str(error)
            print(json.dumps(line))


def main(package, server, name):
    # In isolated mode the packages are not on the path.
    sys.path.insert(0, package)
    asyncio.run(run(server, name, json.load(sys.stdin)))


if __name__ == "__main__":
    main(*sys.argv[1:])
