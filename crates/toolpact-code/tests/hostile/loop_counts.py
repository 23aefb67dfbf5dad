# expect: limit-time
n = 0
while n >= 0:
    n += 1
