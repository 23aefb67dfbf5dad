"""A runtime of a toolpact grid in Python: `python runtime.py tools.py nats://127.0.0.1:4222`. See docs/grid-protocol.md.

Tools are functions with `@tool`, named as their contracts; a parameter `call` gets the call, to say how far it is. Those
without `async` run in threads, which nothing can cancel. Needs Python 3.11 and nats-py."""
import asyncio, contextlib, functools, inspect, itertools, json, logging, re, runpy, secrets, signal, sys, time
import nats, nats.errors, nats.micro

P, WINDOW, HEADERS, TOOLS = "toolpact.v1", 16, 16 << 10, {}
KINDS = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
KEYWORDS = {*"type enum minimum maximum properties required additionalProperties items description default format".split()}

class ToolError(Exception):
    """A code, a message, and details if there are any. Of other exceptions callers hear only that the tool failed."""

def tool(function): return TOOLS.setdefault(function.__name__, function)

def check(schema, value, at="arguments"):
    """Holds a value to a schema of these keywords. Calls of tools with others, such as `$ref`, fail: use a library."""
    schema = schema if isinstance(schema, dict) else {} if schema else {"enum": []}
    kind, kinds = KINDS[type(value)], schema.get("type", [*KINDS.values()])
    kind = "integer" if kind == "number" and value % 1 == 0 else kind
    is_kind = kind in kinds or kind == "integer" and "number" in kinds
    is_less = kind in ("integer", "number") and not schema.get("minimum", value) <= value <= schema.get("maximum", value)
    if schema.keys() - KEYWORDS: raise ToolError("INTERNAL_CONFIGURATION", f"{at}: this runtime cannot check {schema}")
    if not is_kind or is_less or value not in schema.get("enum", [value]):
        raise ToolError("VALIDATION_FORMAT", f"{at}: expected {schema}")
    if kind == "object" and (missing := set(schema.get("required", [])) - value.keys()):
        raise ToolError("VALIDATION_REQUIRED", f"{at}: expected {missing}")
    for key, item in value.items() if kind == "object" else enumerate(value) if kind == "array" else ():
        other = schema.get("items" if kind == "array" else "additionalProperties", True)
        check(schema.get("properties", {}).get(key, other), item, f"{at}/{key}")

class Call:  # one that runs, and what it says to its host
    def __init__(self, runtime, request, name):
        self.runtime, self.request, self.name, self.task = runtime, request, name, None
        self.seq, self.credit, self.window = 0, 0, asyncio.Semaphore(WINDOW)

    async def say(self, kind, body):
        """Before the result: `progress`, `log` or `item`, with a body as the protocol has it."""
        await self.window.acquire()
        self.seq += 1
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        await self.request.respond(body, {"Toolpact-Kind": kind, "Toolpact-Seq": str(self.seq)})

    async def end(self, kind, result, **headers):
        body, most = json.dumps({"name": self.name, **result}).encode(), self.runtime.nc.max_payload - HEADERS
        if len(body) > most:
            if "chunks" not in self.runtime.features:
                return await self.fail("result", "INTERNAL_ERROR", "The result is longer than a message.")
            for start in range(0, len(body), most): await self.say("chunk", body[start : start + most])
            headers["Toolpact-Length"], body = str(len(body)), b""
        seq = {"Toolpact-Seq": str(self.seq + 1)} if self.seq else {}
        await self.request.respond(body, {"Toolpact-Kind": kind, **headers, **seq})

    async def fail(self, kind, code, message, details=None):
        details = {"details": details} if details and len(json.dumps(details)) < HEADERS // 2 else {}
        error = json.dumps({"code": code, "message": message[:1000], **details})
        await self.end(kind, {"status": "ERROR", "error": {"message": message[:1000]}}, **{"Toolpact-Error": error})

    async def run(self, function, schema, args, seconds):
        try:
            async with asyncio.timeout(seconds):
                check(schema, args)
                args |= {"call": self} if "call" in inspect.signature(function).parameters else {}
                is_async = inspect.iscoroutinefunction(function)
                value = await (function(**args) if is_async else asyncio.to_thread(function, **args))
                await self.end("result", {"status": "SUCCESS", "content": value})
        except ToolError as error:
            await self.fail("result", *error.args)
        except TimeoutError:
            await self.fail("result", "INTERNAL_TIMEOUT", "The tool took too long.")
        except Exception:
            logging.exception("the tool %s failed", self.name)
            await self.fail("result", "INTERNAL_ERROR", "The tool failed.")

class Runtime:
    def __init__(self, nc, name="python", capacity=64):
        self.nc, self.id, self.capacity, self.draining = nc, f"{name}-{secrets.token_hex(4)}", capacity, False
        self.calls, self.seen, self.tools, self.schemas, self.features, self.service = {}, {}, {}, {}, [], None

    def presence(self, tools):
        says = {"runtime": self.id, "language": "python", "protocols": ["v1"], "features": ["chunks", "probe"]}
        says |= {"capacity": self.capacity, "in_flight": len(self.calls), "draining": self.draining, "tools": tools}
        return json.dumps(says).encode()

    async def offer(self, tools):
        while True:
            with contextlib.suppress(nats.errors.Error):
                return json.loads((await self.nc.request(f"{P}.announce", self.presence(tools), timeout=2)).data)
            await asyncio.sleep(0.5)  # there is no host yet

    async def announce(self, _=None):
        manifest = (await self.offer({}))["manifest"]  # who offers nothing hears what there is
        contracts = await self.nc.jetstream().key_value("toolpact_v1_contracts")
        self.bucket = await self.nc.jetstream().key_value("toolpact_v1_presence")
        digests = json.loads((await contracts.get(f"manifest.{manifest}")).value)["tools"]
        admission = await self.offer({name: digest for name, digest in digests.items() if name in TOOLS})
        self.tools, self.features = {name: digests[name] for name in admission["accepted"]}, admission["features"]
        for name, digest in self.tools.items() - self.schemas.keys():  # it goes on to listen for what it had
            self.schemas[name, digest] = json.loads((await contracts.get(digest)).value).get("parameters", {})
            about = {"name": name, "subject": f"{P}.call.{self.id}.{name}.{digest}", "metadata": {"digest": digest}}
            await self.service.add_endpoint(handler=functools.partial(self.take, name, digest), **about)
        await self.nc.flush()
        await self.bucket.put(self.id, self.presence(self.tools))

    async def take(self, name, digest, request):
        call, headers, now, body = Call(self, request, name), request.headers or {}, time.time() * 1000, {}
        said = (headers.get(f"Toolpact-{one}", "") for one in ("Invocation", "Attempt", "Start-By", "Deadline", "Digest"))
        found = re.fullmatch("([0-9a-f]{32})" + " ([0-9]{1,18})" * 3 + f" {digest}", " ".join(said))
        invocation, (attempt, start_by, deadline) = found and found[1], map(int, found.groups()[1:] if found else (0, 0, 0))
        with contextlib.suppress(ValueError, RecursionError):
            body = json.loads(request.data, parse_constant=int)  # which NaN is not
        is_call = type(body) is dict and set(body) == {"name", "args"} and body["name"] == name and type(body["args"]) is dict
        for is_so, code, message, grid in [
            (len(self.calls) >= self.capacity, "RATE_LIMIT_CONCURRENCY", "All places of the runtime are taken.", "full"),
            (self.draining, "EXTERNAL_API_ERROR", "The runtime is shutting down. The call was not made.", "draining"),
            (not found or not is_call, "INTERNAL_CONFIGURATION", "The call is not as the protocol has it.", "malformed"),
            (now > min(start_by, deadline), "INTERNAL_TIMEOUT", "The call came too late to be begun.", "late"),
            (self.seen.get(invocation, (0,))[0] >= attempt, "CONFLICT_DUPLICATE", "The call was seen before.", "replayed"),
        ]:
            if is_so: return await call.fail("refused", code, message, {"grid": grid})
        self.seen[invocation], self.calls[invocation] = (attempt, start_by), call
        run = call.run(TOOLS[name], self.schemas[name, digest], body["args"], (deadline - now) / 1000)
        call.task = asyncio.create_task(run)  # the next call does not wait for this one
        call.task.add_done_callback(lambda _: self.calls.pop(invocation, None))

    async def control(self, message):
        kind, invocation = message.headers["Toolpact-Kind"], message.headers.get("Toolpact-Invocation")
        call = self.calls.get(invocation)
        if kind == "probe": await message.respond(b"")
        elif kind == "drain": asyncio.create_task(self.drain())
        elif kind == "cancel":
            self.seen.setdefault(invocation, (1 << 31, time.time() * 1000 + 2000))  # it may come before its call
            call and call.task.cancel()
        elif kind == "credit" and call:
            for call.credit in range(call.credit + 1, int(message.headers["Toolpact-Credit"]) + 1): call.window.release()

    async def beat(self):
        for beat in itertools.takewhile(lambda _: not self.nc.is_closed, itertools.count()):
            self.seen = {key: seen for key, seen in self.seen.items() if seen[1] >= time.time() * 1000}
            with contextlib.suppress(nats.errors.Error):  # the server may be away
                for call in list(self.calls.values()): await call.request.respond(b"", {"Toolpact-Kind": "beat"})
                if beat % 4 == 0:
                    await self.bucket.put(self.id, self.presence(self.tools))
            await asyncio.sleep(0.45)

    async def drain(self):
        self.draining = True
        await self.bucket.put(self.id, self.presence(self.tools))
        while self.calls: await asyncio.sleep(0.05)
        await self.bucket.delete(self.id)
        await asyncio.sleep(0.25)  # who did not know yet is refused
        await self.nc.close()

async def main(tools, server):
    runpy.run_path(tools)
    runtime = Runtime(nats.NATS())
    await runtime.nc.connect(server, max_reconnect_attempts=-1, reconnected_cb=runtime.announce)
    about = {"name": "toolpact-runtime", "version": "1.0.0", "metadata": {"runtime": runtime.id}}
    runtime.service = await nats.micro.add_service(runtime.nc, **about)
    await runtime.nc.subscribe(f"{P}.control.{runtime.id}", cb=runtime.control)
    await runtime.announce()
    await runtime.nc.subscribe(f"{P}.manifest", cb=runtime.announce)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: asyncio.create_task(runtime.drain()))
    await runtime.beat()

if __name__ == "__main__":
    sys.modules["runtime"] = sys.modules["__main__"]  # tools import this very module
    asyncio.run(main(*sys.argv[1:]))
