"""Calls tools of an MCP server with the client of the Python SDK, which holds results to the schemas
that the server lists.

usage: mcp_calls.py PACKAGE_DIR SERVER CLIENT_NAME < ["tool", {"name": "tool", "arguments": {…}}, …]

SERVER is an address, or a program that is started with --stdio. Writes a line for each call, as ../node/mcp_calls.js does.
"""

import json
import sys

sys.dont_write_bytecode = True


def answers():
    """What the client says when a tool asks its user, its model, and where it works."""
    from mcp_types import CreateMessageResult, ElicitResult, ListRootsResult, Root, TextContent

    async def user(context, params):
        content = {"name": "Ada", "color": "green", "ok": True}
        if params.mode == "url":
            return ElicitResult(action="accept")
        return ElicitResult(action="accept", content=content)

    async def model(context, params):
        content = TextContent(type="text", text="Good morning!")
        return CreateMessageResult(role="assistant", content=content, model="none")

    async def roots(context):
        return ListRootsResult(roots=[Root(uri="file:///work", name="Work")])

    return {
        "elicitation_callback": user,
        "sampling_callback": model,
        "list_roots_callback": roots,
    }


async def run(server, name, mode, tools):
    from mcp import StdioServerParameters
    from mcp.client import Client
    from mcp.client.stdio import stdio_client
    from mcp_types import Implementation

    info = Implementation(name=name, version="1")
    if not server.startswith("http"):
        server = stdio_client(StdioServerParameters(command=server, args=["--stdio"]))
    async with Client(server, mode=mode, client_info=info, **answers()) as client:
        # The client learns the schemas from the list.
        await client.list_tools()
        for entry in tools:
            call = {"name": entry, "arguments": {}} if isinstance(entry, str) else entry
            line = {"client": "python", "version": client.protocol_version, "tool": call["name"]}
            try:
                result = await client.call_tool(call["name"], call["arguments"])
                line["result"] = result.model_dump(mode="json", by_alias=True, exclude_unset=True)
            except Exception as error:
                line["refused"] = str(error)
            print(json.dumps(line))


def main(package, server, name):
    # In isolated mode the packages are not on the path.
    sys.path.insert(0, package)
    import anyio

    tools = json.load(sys.stdin)
    for mode in ("legacy", "2026-07-28"):
        anyio.run(run, server, name, mode, tools)


if __name__ == "__main__":
    main(*sys.argv[1:])
