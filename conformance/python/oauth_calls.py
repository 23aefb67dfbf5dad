"""Calls tools of an MCP server with the client of the Python SDK, which finds out by itself where to get a token.

usage: oauth_calls.py PACKAGE_DIR SERVER TOOL…

Writes a line for each call, with the version of MCP and what the tool says. Each version begins without a token.
"""

import sys

sys.dont_write_bytecode = True


class Storage:
    """What the client keeps: here, who it is registered as."""

    def __init__(self, info):
        self.tokens, self.info = None, info

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.info

    async def set_client_info(self, info):
        self.info = info


def provider(server):
    import httpx2 as httpx
    from urllib.parse import parse_qs, urlparse

    from mcp.client.auth import OAuthClientProvider
    from mcp.shared.auth import (
        AuthorizationCodeResult,
        OAuthClientInformationFull,
        OAuthClientMetadata,
    )

    here = "http://localhost:1/callback"
    about = {"redirect_uris": [here], "token_endpoint_auth_method": "none"}
    answered = []

    async def redirect(address):
        # The user agrees, and the browser comes back.
        async with httpx.AsyncClient(trust_env=False) as browser:
            response = await browser.get(address, follow_redirects=False)
        query = parse_qs(urlparse(response.headers["location"]).query)
        answered.append({name: values[0] for name, values in query.items()})

    async def callback():
        answer = answered.pop()
        return AuthorizationCodeResult(code=answer["code"], state=answer.get("state"), iss=answer.get("iss"))

    info = OAuthClientInformationFull(client_id="test", **about)
    metadata = OAuthClientMetadata(client_name="test", **about)
    return OAuthClientProvider(server, metadata, Storage(info), redirect, callback)


async def run(server, mode, tools):
    import httpx2 as httpx
    from mcp.client import Client
    from mcp.client.streamable_http import streamable_http_client

    async with httpx.AsyncClient(auth=provider(server), trust_env=False) as http:
        transport = streamable_http_client(server, http_client=http)
        async with Client(transport, mode=mode) as client:
            for tool in tools:
                result = await client.call_tool(tool, {})
                print(client.protocol_version, tool, result.content[0].text, flush=True)


def main(package, server, *tools):
    # In isolated mode the packages are not on the path.
    sys.path.insert(0, package)
    import anyio

    for mode in ("legacy", "2026-07-28"):
        anyio.run(run, server, mode, tools)


if __name__ == "__main__":
    main(*sys.argv[1:])
