close_ticket(3)
