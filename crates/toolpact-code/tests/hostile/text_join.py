# expect: limit-memory
','.join(['a' * 1000] * 10 ** 7)
