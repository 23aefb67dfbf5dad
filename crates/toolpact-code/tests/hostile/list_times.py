# expect: limit-memory
[0] * 10 ** 12
