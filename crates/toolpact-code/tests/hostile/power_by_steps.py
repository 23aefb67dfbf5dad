# expect: limit-time|limit-memory
x = 2
while True:
    x = x * x
