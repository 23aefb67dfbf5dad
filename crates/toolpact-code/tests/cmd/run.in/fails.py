def find(number: int) -> str:
    return get_ticket(number)["subject"]

find(4)
