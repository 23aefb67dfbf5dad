# expect: raised AttributeError
def f() -> None: ...

f.__code__.co_code
