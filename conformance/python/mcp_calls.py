"""Calls tools of an MCP server with the client of the Python SDK, which holds results to the schemas
that the server lists.

usage: mcp_calls.py PACKAGE_DIR URL CLIENT_NAME < ["tool", …]

Writes a line for each call, as ../node/mcp_calls.js does.
"""

import json
import sys

sys.dont_write_bytecode = True


async def run(url, name, mode, tools):
    from mcp.client import Client
    from mcp_types import Implementation

    async with Client(url, mode=mode, client_info=Implementation(name=name, version="1")) as client:
        # The client learns the schemas from the list.
        await client.list_tools()
        for tool in tools:
            line = {"client": "python", "version": client.protocol_version, "tool": tool}
            try:
                result = await client.call_tool(tool, {})
                line["result"] = result.model_dump(mode="json", by_alias=True, exclude_unset=True)
            except Exception as error:
                line["refused"] = str(error)
            print(json.dumps(line))


def main(package, url, name):
    # In isolated mode the packages are not on the path.
    sys.path.insert(0, package)
    import anyio

    tools = json.load(sys.stdin)
    for mode in ("legacy", "2026-07-28"):
        anyio.run(run, url, name, mode, tools)


if __name__ == "__main__":
    main(*sys.argv[1:])
