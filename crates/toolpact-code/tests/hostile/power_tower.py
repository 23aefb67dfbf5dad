# expect: limit-time|limit-memory
9 ** 9 ** 9
