# expect: limit-memory
a = []
b = []
for i in range(100000):
    a = [a]
    b = [b]
a == b
