# expect: limit-time
class C:
    def __hash__(self):
        return 1

    def __eq__(self, other: object) -> bool:
        return False

x = {}
for i in range(100000):
    x[C()] = i
