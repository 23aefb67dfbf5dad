# expect: limit-memory
'a'.ljust(10 ** 12)
