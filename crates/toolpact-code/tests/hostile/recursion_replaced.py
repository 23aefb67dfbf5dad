# expect: limit-recursion
def f():
    f()

try:
    try:
        raise ValueError
    except ValueError:
        f()
    finally:
        raise KeyError
except KeyError:
    "caught"
