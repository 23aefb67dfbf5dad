# expect: limit-calls
import asyncio

await asyncio.gather(*[tool_task(add, i, 1) for i in range(100000)])
