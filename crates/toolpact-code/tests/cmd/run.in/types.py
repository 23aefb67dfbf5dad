ticket = get_ticket("3")
ticket["title"]
close_ticket(3, reason="boring")
