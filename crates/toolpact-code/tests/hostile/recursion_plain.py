# expect: limit-recursion
def f():
    f()

f()
