# expect: limit-memory|limit-time
x = {}
n = 0
while True:
    x[n] = str(n)
    n += 1
