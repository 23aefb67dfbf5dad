# expect: limit-time
sum(1 for i in range(10 ** 15) if i < 0)
