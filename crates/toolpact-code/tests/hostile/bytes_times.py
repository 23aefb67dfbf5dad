# expect: limit-memory
b'a' * 10 ** 12
