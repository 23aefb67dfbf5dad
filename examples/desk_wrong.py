ticket = get_ticket("3")
print(ticket["title"])
