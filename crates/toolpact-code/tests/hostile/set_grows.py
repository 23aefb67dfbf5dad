# expect: limit-memory|limit-time
x = set()
n = 0
while True:
    x.add(n)
    n += 1
