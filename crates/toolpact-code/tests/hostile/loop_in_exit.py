# expect: limit-time
class C:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        while True:
            pass

with C():
    1
