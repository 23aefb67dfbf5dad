# expect: limit-recursion
class C:
    def __enter__(self):
        return self
    def end(self, kind, value, trace):
        return True
C.__exit__ = C.end  # type: ignore

def f(n: int) -> int:
    return f(n + 1)

with C():  # type: ignore
    f(0)
"caught"
