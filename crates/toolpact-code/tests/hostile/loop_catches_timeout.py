# expect: limit-time
def f():
    try:
        while True:
            pass
    except TimeoutError:
        return 1
    except BaseException:
        return 2
    finally:
        return 3

f()
