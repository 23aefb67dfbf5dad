# expect: limit-recursion
def f():
    try:
        f()
    finally:
        f()

f()
