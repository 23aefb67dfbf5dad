# expect: limit-time
class C:
    def __repr__(self):
        while True:
            pass

repr(C())
