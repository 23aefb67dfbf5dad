# expect: limit-output|limit-memory
print('a' * 10000000)
