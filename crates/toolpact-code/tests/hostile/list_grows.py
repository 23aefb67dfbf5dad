# expect: limit-memory
x = []
while True:
    x.append([0] * 1000)
