# expect: types|raised
def f() -> None: ...

f.__globals__['__builtins__']
