"""Tools for runtime.py: each is the tool of the contract of its name."""
import asyncio

from runtime import ToolError, tool


@tool
def add(a, b):
    return {"success": True, "value": a + b}


@tool
def divide(a, b):
    if b == 0:
        raise ToolError("VALIDATION_BUSINESS_RULE", "Nobody divides by zero.", {"b": b})
    return {"success": True, "value": a // b}


@tool
async def count(to, call):
    for n in range(1, to + 1):
        await call.say("log", {"level": "notice", "message": f"now {n}"})
        await call.say("progress", {"current_step": n, "total_steps": to, "message": "counting"})
        await asyncio.sleep(0)
    return {"success": True, "value": to}
