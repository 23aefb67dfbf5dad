# expect: raised AttributeError
def f() -> None: ...

f.__globals__['__builtins__']
