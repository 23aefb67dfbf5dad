# expect: limit-time
while True:
    try:
        while True:
            pass
    except:
        pass
