# expect: limit-memory
9 ** 9 ** 9
