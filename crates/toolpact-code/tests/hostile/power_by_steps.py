# expect: limit-memory|limit-time
x = 2
while True:
    x = x * x
