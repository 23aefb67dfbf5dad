# expect: limit-recursion
def f(n: int):
    g(n + 1)

def g(n: int):
    f(n + 1)

f(0)
