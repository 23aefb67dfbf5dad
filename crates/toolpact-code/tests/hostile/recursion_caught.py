# expect: limit-recursion
def f():
    try:
        f()
    except RecursionError:
        f()

f()
