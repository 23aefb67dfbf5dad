# expect: limit-time
import asyncio

async def spin() -> None:
    while True:
        pass

await asyncio.gather(spin(), spin())
