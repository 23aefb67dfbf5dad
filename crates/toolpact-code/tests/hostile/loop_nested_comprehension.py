# expect: limit-time|limit-memory
[[[0 for a in range(10000)] and 0 for b in range(10000)] and 0 for c in range(10000)]
