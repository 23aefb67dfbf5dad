import asyncio

numbers = open_tickets()
tickets = await asyncio.gather(*[tool_task(get_ticket, number) for number in numbers])

late = [ticket for ticket in tickets if ticket["hours"] > 24]
for ticket in late:
    print(f"{ticket['from']} has been waiting for {ticket['hours']} hours")

{"open": len(tickets), "late": [ticket["subject"] for ticket in late]}
