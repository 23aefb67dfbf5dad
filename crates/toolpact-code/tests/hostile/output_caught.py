# expect: limit-output
while True:
    try:
        print('a' * 1000)
    except:
        pass
