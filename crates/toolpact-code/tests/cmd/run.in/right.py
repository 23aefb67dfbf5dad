ticket = get_ticket(3)
print(ticket["subject"])
ticket["hours"] * 2
