"""MCP servers that lie, one for each seed: over standard input and output, or over HTTP.

usage: upstream.py SEED          over standard input and output
       upstream.py PORT SEED …   over HTTP, on PORT and those after it

A seed decides how a server lies about its tools and how it lies about its results. The same seed is the
same server.
"""

import asyncio
import itertools
import json
import os
import random
import sys

SHOP = ["create_order", "count_orders", "search_orders"]
ENDLESS = b'{"a":"' + b"x" * 65536 + b'",'

# How the list of tools lies.
LISTS = [
    "honest",
    "huge",
    "changing",
    "clashing",
    "endless",
    "slow",
    "wrong_types",
    "wrong_id",
    "not_json",
    "same_name",
    "odd_names",
    "deep",
    "error",
    "pages_without_end",
    "nothing",
    "ends",
]
# How the result of a call lies.
CALLS = [
    "wrong_types",
    "not_promised",
    "endless",
    "slow",
    "wrong_id",
    "error_as_result",
    "result_as_error",
    "not_json",
    "large",
    "twice",
    "deep",
    "status_401",
    "questions",
    "progress",
    "log_escapes",
    "nothing",
    "ends",
]


class End(Exception):
    """The server ends here, in the middle of everything."""


class Liar:
    def __init__(self, seed):
        self.random = random.Random(seed)
        # Every lie of either kind is told by some seed before one is told twice.
        self.list_lie = LISTS[seed % len(LISTS)]
        self.call_lie = CALLS[(seed + seed // len(LISTS)) % len(CALLS)]
        self.listed = itertools.count()

    def tool(self, name, **more):
        numbers = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
        return {
            "name": name,
            "description": "Says a number.",
            "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
            "outputSchema": numbers,
            **more,
        }

    def tools(self):
        time = next(self.listed)
        plain = [self.tool("number"), self.tool("other")]
        match self.list_lie:
            case "huge":
                return [self.tool(f"tool_{i}") for i in range(30_000)]
            case "changing":
                return [self.tool(f"tool_{i}", description=f"Version {time}.") for i in range(500)]
            case "clashing":
                return plain + [self.tool(name) for name in SHOP] + [self.tool("books__search")]
            case "wrong_types":
                return plain + [7, None, {"name": 7}, {"name": "a", "inputSchema": "b"}, self.tool(["c"])]
            case "same_name":
                return plain + plain + plain
            case "odd_names":
                return plain + [self.tool(name) for name in ["", "\n", "a" * 100_000, "\u202e\x1b[2J", "../x", "ÿ"]]
            case "deep":
                return plain + [self.tool("deep", inputSchema=json.loads('{"not":' * 150 + "{}" + "}" * 150))]
            case _:
                return plain

    async def answer(self, message, send):
        """Answers a message in its way. `send` takes bytes."""
        method, id = message.get("method"), message.get("id")
        if id is None or method is None:
            return
        if method == "initialize":
            version = message["params"]["protocolVersion"]
            info = {"name": "liar", "version": "1"}
            capabilities = {"tools": {"listChanged": True}}
            return await send(result(id, {"protocolVersion": version, "capabilities": capabilities, "serverInfo": info}))
        if method == "tools/list":
            return await self.list(id, send)
        if method == "tools/call":
            return await self.call(id, message, send)
        return await send(result(id, {}))

    async def list(self, id, send):
        match self.list_lie:
            case "endless":
                await self.without_end(id, send)
            case "slow":
                await self.slowly(result(id, {"tools": self.tools()}), send)
            case "wrong_id":
                await send(result(id + 1000 if isinstance(id, int) else 1, {"tools": self.tools()}))
            case "not_json":
                await send(b'{"jsonrpc":"2.0","id":' + json.dumps(id).encode() + b',"result":{"tools":[}')
            case "error":
                await send(error(id, -32603, "\x1b[31mforged\nINFO the source is ready"))
            case "pages_without_end":
                await send(result(id, {"tools": self.tools(), "nextCursor": str(next(self.listed))}))
            case "nothing":
                pass
            case "ends":
                raise End
            case "changing":
                await send(result(id, {"tools": self.tools()}))
                for _ in range(100):
                    await send(note("notifications/tools/list_changed", {}))
            case _:
                await send(result(id, {"tools": self.tools()}))

    async def call(self, id, message, send):
        good = {"content": [{"type": "text", "text": "7"}], "structuredContent": {"n": 7}}
        match self.call_lie:
            case "wrong_types":
                await send(result(id, {"content": 7, "structuredContent": "x", "isError": "no"}))
            case "not_promised":
                await send(result(id, {"content": [], "structuredContent": {"n": "seven"}}))
            case "endless":
                await self.without_end(id, send)
            case "slow":
                await self.slowly(result(id, good), send)
            case "wrong_id":
                await send(result([id], good))
            case "error_as_result":
                await send(result(id, {"error": {"code": -32000, "message": "failed"}}))
            case "result_as_error":
                await send(json.dumps({"jsonrpc": "2.0", "id": id, "error": good}).encode())
            case "not_json":
                await send(b"Traceback (most recent call last):\n  File \"x\"\n")
            case "large":
                await send(result(id, {"content": [{"type": "text", "text": "x" * 15_000_000}], "structuredContent": {"n": 7}}))
            case "twice":
                await send(result(id, good))
                await send(result(id, {**good, "structuredContent": {"n": 8}}))
            case "deep":
                await send(b'{"jsonrpc":"2.0","id":%s,"result":' % json.dumps(id).encode() + b"[" * 100_000)
            case "status_401":
                told = {"toolpact/error": {"code": "AUTH_INVALID", "type": "AUTH", "message": "401"}}
                await send(result(id, {**good, "isError": True, "_meta": told}))
            case "questions":
                for i in range(50):
                    await send(json.dumps({"jsonrpc": "2.0", "id": f"q{i}", "method": "sampling/createMessage", "params": {}}).encode())
                await send(result(id, good))
            case "progress":
                token = message.get("params", {}).get("_meta", {}).get("progressToken", 1)
                for i in range(20_000):
                    await send(note("notifications/progress", {"progressToken": token, "progress": i}))
                await send(result(id, good))
            case "log_escapes":
                await send(error(id, -32603, "\x1b[2J\r\n" * 1000))
            case "nothing":
                pass
            case "ends":
                raise End
            case _:
                await send(result(id, good))

    async def without_end(self, id, send):
        await send(b'{"jsonrpc":"2.0","id":' + json.dumps(id).encode() + b',"result":{', whole=False)
        for _ in range(1000):
            await send(ENDLESS, whole=False)
            await asyncio.sleep(0)
        await asyncio.sleep(3600)

    async def slowly(self, data, send):
        for byte in data:
            await send(bytes([byte]), whole=False)
            await asyncio.sleep(0.5)
        await send(b"")


def result(id, value):
    return json.dumps({"jsonrpc": "2.0", "id": id, "result": value}).encode()


def error(id, code, message):
    return json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}).encode()


def note(method, params):
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode()


def read(data):
    try:
        message = json.loads(data)
    except ValueError:
        return None
    return message if isinstance(message, dict) else None


async def over_pipes(seed):
    loop = asyncio.get_running_loop()
    lines = asyncio.StreamReader(limit=1 << 26)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, sys.stdout)
    writer = asyncio.StreamWriter(transport, protocol, None, loop)

    async def send(data, whole=True):
        writer.write(data + (b"\n" if whole else b""))
        await writer.drain()

    async def one(message):
        try:
            await liar.answer(message, send)
        except End:
            os._exit(1)

    liar = Liar(seed)
    tasks = set()
    while line := await lines.readline():
        if message := read(line):
            tasks.add(task := asyncio.create_task(one(message)))
            task.add_done_callback(tasks.discard)


async def over_http(port, seeds):
    servers = []
    for place, seed in enumerate(seeds):
        liar = Liar(seed)
        serve = lambda reader, writer, liar=liar: connection(liar, reader, writer)
        servers.append(await asyncio.start_server(serve, "127.0.0.1", port + place))
    await asyncio.gather(*(server.serve_forever() for server in servers))


async def connection(liar, reader, writer):
    try:
        while await request(liar, reader, writer):
            pass
    except (OSError, End, asyncio.IncompleteReadError, ValueError):
        pass
    finally:
        writer.close()


async def request(liar, reader, writer):
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = next((int(row[15:]) for row in head.splitlines() if row.lower().startswith("content-length:")), 0)
    body = await reader.readexactly(length)
    message = read(body) if head.startswith("POST") else None
    if message is None or "id" not in message:
        status = "202 Accepted" if head.startswith("POST") else "405 Method Not Allowed"
        writer.write(f"HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n".encode())
        await writer.drain()
        return True
    # Some answer with JSON of a length, some with JSON without end, some with events.
    as_events = liar.random.random() < 0.5
    kind = "text/event-stream" if as_events else "application/json"
    writer.write(f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n\r\n".encode())
    begun = False

    async def send(data, whole=True):
        nonlocal begun
        part = (b"" if begun else b"data: ") + data + (b"\n\n" if whole else b"") if as_events else data
        begun = not whole
        if part:
            writer.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
            await writer.drain()

    await liar.answer(message, send)
    writer.write(b"0\r\n\r\n")
    await writer.drain()
    return True


if __name__ == "__main__":
    numbers = [int(arg) for arg in sys.argv[1:]]
    main = over_pipes(*numbers) if len(numbers) == 1 else over_http(numbers[0], numbers[1:])
    try:
        asyncio.run(main)
    except (KeyboardInterrupt, BrokenPipeError, ConnectionResetError):
        pass
