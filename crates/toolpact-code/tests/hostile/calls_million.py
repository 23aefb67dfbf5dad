# expect: limit-calls
for i in range(1000000):
    add(i, 1)
