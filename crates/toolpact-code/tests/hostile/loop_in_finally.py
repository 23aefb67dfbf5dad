# expect: limit-time
try:
    while True:
        pass
finally:
    while True:
        pass
