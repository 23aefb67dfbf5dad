# expect: limit-recursion
class C:
    def __repr__(self):
        return repr(self)

repr(C())
