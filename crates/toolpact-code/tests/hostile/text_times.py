# expect: limit-memory
'a' * 10 ** 12
