"""The tools of kit/tools.rs, for examples/grid/runtime.py."""

import asyncio
import os

from runtime import ToolError, tool


def success(value):
    return {"success": True, "value": value}


def note(line):
    if file := os.environ.get("GRID_TEST_EFFECTS"):
        with open(file, "a") as effects:
            print(line, file=effects)


@tool
def add(a, b):
    return success(a + b)


@tool
def divide(a, b):
    if b == 0:
        raise ToolError("VALIDATION_BUSINESS_RULE", "Nobody divides by zero – „nobody“.", {"b": b})
    return success(int(a / b))


@tool
async def effect(ms, name):
    note(f"began {name}")
    await asyncio.sleep(ms / 1000)
    note(f"did {name}")
    return success(str(os.getpid()))


@tool
async def wait():
    note("waits")
    try:
        await asyncio.sleep(60)
    finally:
        note("cancelled")


@tool
def whoami():
    return success("anonymous of None in []")


@tool
def panics():
    raise RuntimeError("the secret is 1234")


@tool
def words(count):
    return success("word " * count)


@tool
async def count(to, call):
    for n in range(1, to + 1):
        await call.say("log", {"level": "notice", "message": f"now {n}"})
        await call.say("progress", {"current_step": n, "total_steps": to, "message": "counting"})
    return success(to)
