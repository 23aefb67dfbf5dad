# expect: limit-memory
import asyncio

async def grow() -> None:
    x = "a"
    while True:
        x += x

await asyncio.gather(grow(), grow())
