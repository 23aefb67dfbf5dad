"""A runtime of a toolpact grid in Python: `python runtime.py tools.py nats://127.0.0.1:4222`. See docs/grid-protocol.md.

Tools are functions with `@tool`, named as their contracts; a parameter `call` gets the call, to say how far it is.
Functions without `async` run in threads, which nothing can cancel. Needs Python 3.11 and nats-py."""
import asyncio, contextlib, inspect, itertools, json, logging, runpy, secrets, signal, sys, time
import nats, nats.errors, nats.micro

P, WINDOW, HEADERS, TOOLS = "toolpact.v1", 16, 16 << 10, {}

class ToolError(Exception):
    """A code, a message, and details if there are any. Of other exceptions callers hear only that the tool failed."""

def tool(function):
    return TOOLS.setdefault(function.__name__, function)

class Call:
    """A call that runs, and what it says to its host."""
    def __init__(self, runtime, request, name):
        self.runtime, self.request, self.name, self.task = runtime, request, name, asyncio.current_task()
        self.seq, self.credit, self.credited, self.turn = 0, 0, asyncio.Event(), asyncio.Lock()

    async def say(self, kind, body):
        """Before the result: `progress`, `log` or `item`, with a body as the protocol has it."""
        async with self.turn:
            while self.seq >= self.credit + WINDOW:
                self.credited.clear()
                await self.credited.wait()
            self.seq += 1
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
            await self.request.respond(body, {"Toolpact-Kind": kind, "Toolpact-Seq": str(self.seq)})

    async def end(self, kind, result, **headers):
        body, most = json.dumps({"name": self.name, **result}).encode(), self.runtime.nc.max_payload - HEADERS
        if len(body) > most:
            if "chunks" not in self.runtime.features:
                return await self.fail("result", "INTERNAL_ERROR", "The result is longer than a message.")
            for start in range(0, len(body), most):
                await self.say("chunk", body[start : start + most])
            headers["Toolpact-Length"], body = str(len(body)), b""
        seq = {"Toolpact-Seq": str(self.seq + 1)} if self.seq else {}
        await self.request.respond(body, {"Toolpact-Kind": kind, **headers, **seq})

    async def fail(self, kind, code, message, details=None):
        details = {"details": details} if details and len(json.dumps(details)) < HEADERS // 2 else {}
        error = json.dumps({"code": code, "message": message[:1000], **details})
        await self.end(kind, {"status": "ERROR", "error": {"message": message[:1000]}}, **{"Toolpact-Error": error})

    async def run(self, function, args, seconds):
        try:
            args |= {"call": self} if "call" in inspect.signature(function).parameters else {}
            async with asyncio.timeout(seconds):
                try:
                    inspect.signature(function).bind(**args)
                except TypeError as wrong:
                    raise ToolError("VALIDATION_FORMAT", f"expected what `{self.name}` takes: {wrong}") from None
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
        self.calls, self.seen, self.tools, self.features, self.service = {}, {}, None, [], None

    def presence(self, tools):
        says = {"runtime": self.id, "language": "python", "version": sys.version.split()[0], "protocols": ["v1"]}
        says |= {"features": ["chunks", "probe"], "capacity": self.capacity, "in_flight": len(self.calls)}
        return json.dumps({**says, "draining": self.draining, "tools": tools}).encode()

    async def offer(self, tools):
        while True:
            try:
                return json.loads((await self.nc.request(f"{P}.announce", self.presence(tools), timeout=2)).data)
            except (nats.errors.NoRespondersError, nats.errors.TimeoutError):
                await asyncio.sleep(0.5)  # there is no host yet

    async def announce(self, _=None):
        manifest = (await self.offer({}))["manifest"]  # who offers nothing hears what there is
        contracts = await self.nc.jetstream().key_value("toolpact_v1_contracts")
        self.bucket = await self.nc.jetstream().key_value("toolpact_v1_presence")
        digests = json.loads((await contracts.get(f"manifest.{manifest}")).value)["tools"]
        admission = await self.offer({name: digest for name, digest in digests.items() if name in TOOLS})
        tools, self.features = {name: digests[name] for name in admission["accepted"]}, admission["features"]
        if tools != self.tools:
            if self.service:
                await self.service.stop()
            about = {"name": "toolpact-runtime", "version": "1.0.0", "metadata": {"runtime": self.id}}
            self.tools, self.service = tools, await nats.micro.add_service(self.nc, **about)
            for name, digest in tools.items():
                async def take(request, name=name):  # the next call does not wait for this one
                    asyncio.create_task(self.take(request, name))
                subject, metadata = f"{P}.call.{self.id}.{name}.{digest}", {"digest": digest}
                await self.service.add_endpoint(name=name, subject=subject, handler=take, metadata=metadata)
            await self.nc.flush()
        await self.bucket.put(self.id, self.presence(self.tools))

    async def take(self, request, name):
        call, headers, now = Call(self, request, name), request.headers or {}, time.time() * 1000
        numbers = [headers.get(f"Toolpact-{header}", "") for header in ("Attempt", "Start-By", "Deadline")]
        invocation = headers.get("Toolpact-Invocation") if all(map(str.isdigit, numbers)) else None
        attempt, start_by, deadline = map(int, numbers if invocation else (0, 0, 0))
        for is_so, code, message, grid in [
            (len(self.calls) >= self.capacity, "RATE_LIMIT_CONCURRENCY", "All places of the runtime are taken.", "full"),
            (self.draining, "EXTERNAL_API_ERROR", "The runtime is shutting down. The call was not made.", "draining"),
            (not invocation, "INTERNAL_CONFIGURATION", "The call has not the headers of the protocol.", "malformed"),
            (now > min(start_by, deadline), "INTERNAL_TIMEOUT", "The call came too late to be begun.", "late"),
            (self.seen.get(invocation, (0,))[0] >= attempt, "CONFLICT_DUPLICATE", "The call was seen before.", "replayed"),
        ]:
            if is_so:
                return await call.fail("refused", code, message, {"grid": grid})
        self.seen[invocation], self.calls[invocation] = (attempt, start_by), call
        call.task.add_done_callback(lambda _: self.calls.pop(invocation, None))
        await call.run(TOOLS[name], json.loads(request.data)["args"], (deadline - now) / 1000)

    async def control(self, message):
        kind, invocation = message.headers["Toolpact-Kind"], message.headers.get("Toolpact-Invocation")
        call = self.calls.get(invocation)
        if kind == "probe":
            await message.respond(b"")
        elif kind == "drain":
            asyncio.create_task(self.drain())
        elif kind == "cancel" and call:
            call.task.cancel()
        elif kind == "cancel":  # it may come before its call
            self.seen.setdefault(invocation, (1 << 31, time.time() * 1000 + 2000))
        elif kind == "credit" and call:
            call.credit = max(call.credit, int(message.headers["Toolpact-Credit"]))
            call.credited.set()

    async def beat(self):
        for beat in itertools.takewhile(lambda _: not self.nc.is_closed, itertools.count()):
            self.seen = {key: seen for key, seen in self.seen.items() if seen[1] >= time.time() * 1000}
            with contextlib.suppress(nats.errors.Error):  # the server may be away
                for call in list(self.calls.values()):
                    await call.request.respond(b"", {"Toolpact-Kind": "beat"})
                if beat % 4 == 0:
                    await self.bucket.put(self.id, self.presence(self.tools))
            await asyncio.sleep(0.45)

    async def drain(self):
        self.draining = True
        await self.bucket.put(self.id, self.presence(self.tools))
        while self.calls:
            await asyncio.sleep(0.05)
        await self.bucket.delete(self.id)
        await asyncio.sleep(0.25)  # who did not know yet is refused
        await self.nc.close()

async def main(tools, server):
    runpy.run_path(tools)
    runtime = Runtime(nats.NATS())
    await runtime.nc.connect(server, max_reconnect_attempts=-1, reconnected_cb=runtime.announce)
    await runtime.nc.subscribe(f"{P}.control.{runtime.id}", cb=runtime.control)
    await runtime.announce()
    await runtime.nc.subscribe(f"{P}.manifest", cb=runtime.announce)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: asyncio.create_task(runtime.drain()))
    await runtime.beat()

if __name__ == "__main__":
    sys.modules["runtime"] = sys.modules["__main__"]  # tools import this very module
    asyncio.run(main(*sys.argv[1:]))
