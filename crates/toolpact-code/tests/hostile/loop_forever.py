# expect: limit-time
while True:
    pass
