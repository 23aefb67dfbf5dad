# expect: limit-output
try:
    while True:
        print('a' * 1000)
except:
    pass
while True:
    pass
