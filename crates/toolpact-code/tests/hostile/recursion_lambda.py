# expect: limit-recursion
f = lambda g: g(g)  # type: ignore
f(f)
