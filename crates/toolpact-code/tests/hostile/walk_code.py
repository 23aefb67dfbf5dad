# expect: types|raised
def f() -> None: ...

f.__code__.co_code
