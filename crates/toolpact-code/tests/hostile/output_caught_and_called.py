# expect: limit-output
try:
    while True:
        print('a' * 1000)
except:
    pass
add(1, 2)
