# expect: limit-memory|limit-time
list(range(10 ** 12))
