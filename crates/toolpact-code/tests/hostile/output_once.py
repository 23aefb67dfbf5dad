# expect: limit-output
print('a' * 10000000)
