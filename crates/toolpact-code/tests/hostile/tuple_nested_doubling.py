# expect: limit-memory
x = ('a',)
for i in range(64):
    x = (x, x)
x
