# expect: limit-output
while True:
    print('a' * 1000)
