# expect: limit-time
def key(n: int) -> int:
    while True:
        pass

sorted([3, 2, 1], key=key)
