# expect: limit-memory|limit-output|limit-time|value
x = ('a',)
for i in range(64):
    x = (x, x)
x
