"""Asks the services of a NATS server who they are, as any program does that knows NATS and not the grid.

usage: discover.py SERVER VERB [NAME]
"""

import asyncio
import json
import sys

import nats


async def main(server, *subject):
    client = await nats.connect(server)
    inbox = client.new_inbox()
    answers = await client.subscribe(inbox)
    await client.publish(".".join(["$SRV", *subject]), b"", reply=inbox)
    found = []
    try:
        # An empty one is of the server: nobody is there.
        while data := (await answers.next_msg(timeout=1)).data:
            found.append(json.loads(data))
    except nats.errors.TimeoutError:
        pass
    print(json.dumps(found))
    await client.close()


asyncio.run(main(*sys.argv[1:]))
