a = get_ticket(3)["hours"]
b = get_ticket(5)["hours"]
a + b
