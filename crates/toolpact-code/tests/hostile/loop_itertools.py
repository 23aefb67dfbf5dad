# expect: limit-time
import itertools

for i in itertools.count():
    pass
