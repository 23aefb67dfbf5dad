# expect: limit-memory
x = 'abcdefgh'
while True:
    x = x + x
