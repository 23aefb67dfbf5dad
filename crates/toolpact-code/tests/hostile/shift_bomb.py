# expect: limit-memory
1 << 10 ** 12
